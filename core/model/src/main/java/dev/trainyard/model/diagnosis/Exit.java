package dev.trainyard.model.diagnosis;

import static dev.trainyard.model.RetryBehavior.BACK_OFF;
import static dev.trainyard.model.RetryBehavior.COUNTED;
import static dev.trainyard.model.RetryBehavior.FREE;
import static dev.trainyard.model.RetryBehavior.NEVER;

import dev.trainyard.model.Message;
import dev.trainyard.model.RetryBehavior;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * The kinds of task ends that a diagnosis distinguishes. Each kind has a phrase, a cause and a
 * recommended action in every language. The constant names are stored and part of the API: never
 * rename one.
 */
public enum Exit {
  SUCCEEDED(NEVER, 0),
  STOPPED(COUNTED, -210),

  // Known to the platform for certain.
  START_REFUSED(NEVER, -200),
  IMAGE_MISSING(NEVER, 254),
  START_FAILED(FREE, -120),
  REGISTRY_UNREACHABLE(FREE, -120),
  GANG_TIMEOUT(BACK_OFF, 251),
  TASK_LOST(FREE, -101),
  NODE_LOST(FREE, -1001),
  EVICTED(FREE, -1000),
  RUN_TOO_LONG(NEVER, -1004),
  BARRIER_TIMEOUT(FREE, 250),
  OUT_OF_MEMORY(COUNTED, -1200),
  DISK_FULL(COUNTED, 255),

  // Derived from an exit code.
  COMMAND_FAILED(COUNTED, 255),
  WRONG_USAGE(COUNTED, 255),
  NOT_EXECUTABLE(COUNTED, 255),
  COMMAND_NOT_FOUND(COUNTED, 220),
  INVALID_EXIT(COUNTED, 128),
  SIGNAL_INTERRUPT(COUNTED, 130),
  SIGNAL_QUIT(COUNTED, 131),
  SIGNAL_ILLEGAL_INSTRUCTION(COUNTED, 132),
  SIGNAL_ABORT(COUNTED, 134),
  SIGNAL_BUS(COUNTED, 135),
  SIGNAL_ARITHMETIC(COUNTED, 136),
  SIGNAL_KILL(COUNTED, 137),
  SEGMENTATION_FAULT(COUNTED, 139),
  SIGNAL_PIPE(COUNTED, 141),
  SIGNAL_TERMINATE(COUNTED, 143),
  OTHER_SIGNAL(COUNTED, 256),

  // Derived from a log.
  PROCESS_MEMORY(COUNTED, -1200),
  SHARED_MEMORY(COUNTED, 135),
  GPU_OUT_OF_MEMORY(COUNTED, 226),
  TENSORFLOW_OUT_OF_MEMORY(COUNTED, 221),
  NPU_OUT_OF_MEMORY(COUNTED, 226),
  GPU_HARDWARE(FREE, 223),
  NPU_HARDWARE(FREE, 223),
  GPU_MISSING(COUNTED, 255),
  NPU_MISSING(COUNTED, 255),
  CUDA_VERSION(COUNTED, 224),
  CUDNN_VERSION(COUNTED, 225),
  CUDA_ERROR(COUNTED, 255),
  NPU_ERROR(COUNTED, 255),
  OPERATOR_MISSING(COUNTED, 255),
  NCCL_TIMEOUT(COUNTED, 255),
  NCCL_ERROR(COUNTED, 255),
  HCCL_TIMEOUT(COUNTED, 255),
  HCCL_ERROR(COUNTED, 255),
  RENDEZVOUS_TIMEOUT(COUNTED, 255),
  PEER_LOST(COUNTED, 255),
  MPI_FAULT(COUNTED, 222),
  CORE_DUMP(COUNTED, 235),
  PYTHON_SYNTAX(COUNTED, 231),
  PYTHON_IMPORT(COUNTED, 232),
  PYTHON_INDEX(COUNTED, 233),
  PYTHON_EXCEPTION(COUNTED, 255),
  SHELL_SYNTAX(COUNTED, 231),
  WINDOWS_LINE_ENDS(COUNTED, 231),
  WRONG_ARGUMENT(COUNTED, 228),
  DATA_MISMATCH(COUNTED, 229),
  WRONG_SAVE_PATH(COUNTED, 230),
  FILE_MISSING(COUNTED, 255),
  LIBRARY_MISSING(COUNTED, 255),
  PERMISSION_DENIED(COUNTED, 255),
  READ_ONLY(COUNTED, 230),
  QUOTA_EXCEEDED(COUNTED, 255),
  THREAD_LIMIT(COUNTED, 255),
  OPEN_FILES(COUNTED, 255),
  PORT_CONFLICT(BACK_OFF, 253),
  NAME_RESOLUTION(COUNTED, 255),
  NETWORK(COUNTED, 255),
  PACKAGE_INSTALL(COUNTED, 255),
  GIT_FAILED(COUNTED, 255),
  PLUGIN_FAILED(COUNTED, 255),
  SSH_BARRIER_TIMEOUT(COUNTED, 249);

  /** The ends whose cause may be a file or program that the image of the job file contains. */
  private static final Set<Exit> CONCERNS_IMAGE =
      EnumSet.of(
          COMMAND_NOT_FOUND,
          GPU_MISSING,
          NPU_MISSING,
          CUDA_VERSION,
          CUDNN_VERSION,
          MPI_FAULT,
          PYTHON_IMPORT,
          FILE_MISSING,
          LIBRARY_MISSING,
          PACKAGE_INSTALL);

  private final RetryBehavior retryBehavior;
  private final int openPaiCode;

  Exit(RetryBehavior retryBehavior, int openPaiCode) {
    this.retryBehavior = retryBehavior;
    this.openPaiCode = openPaiCode;
  }

  public RetryBehavior reaction() {
    return retryBehavior;
  }

  /** Returns the row of {@link OpenPaiExits} that OpenPAI clients receive. */
  public int openPaiCode() {
    return openPaiCode;
  }

  /** Returns a short description. */
  public Message phrase() {
    return message("phrase");
  }

  /** Returns the usual cause. */
  public Message cause() {
    return message("cause");
  }

  /** Returns the recommended action. */
  public Message advice() {
    return message("advice");
  }

  /** Returns the usual cause if the engine runs the command on the host, without an image. */
  public Message causeWithoutImage() {
    return CONCERNS_IMAGE.contains(this) ? message("host-cause") : cause();
  }

  /** Returns the recommended action if the engine runs the command on the host. */
  public Message adviceWithoutImage() {
    return CONCERNS_IMAGE.contains(this) ? message("host-advice") : advice();
  }

  private Message message(String part) {
    return Message.of("end.exit." + name().toLowerCase(Locale.ROOT).replace('_', '-') + "." + part);
  }
}
