package dev.trainyard.model.diagnosis;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The exit table of OpenPAI, whose codes and phrases are known to its clients and users. */
public final class OpenPaiExits {
  /** Code, phrase, issuer, causer, type, stage, behavior, and the corresponding {@link Exit}. */
  private static final String TABLE =
      """
      0     Succeeded                               USER_CONTAINER    USER_CONTAINER              USER_SUCCESS                COMPLETING U  SUCCEEDED
      -100  ConfigMapExternalDeleted                PAI_FC            PAI_UNKNOWN                 PLATFORM_FAILURE            UNKNOWN    T  TASK_LOST
      -101  PodExternalDeleted                      PAI_FC            PAI_UNKNOWN                 PLATFORM_FAILURE            UNKNOWN    T  TASK_LOST
      -110  ConfigMapLocalCacheCreationTimeout      PAI_FC            PAI_UNKNOWN                 PLATFORM_FAILURE            LAUNCHING  T  START_FAILED
      -111  PodLocalCacheCreationTimeout            PAI_FC            PAI_UNKNOWN                 PLATFORM_FAILURE            LAUNCHING  T  START_FAILED
      -120  PodCreationTransientError               PAI_FC            PAI_UNKNOWN                 PLATFORM_FAILURE            LAUNCHING  T  START_FAILED
      -200  PodCreationPermanentError               PAI_FC            USER_SUBMISSION             USER_FAILURE                SUBMITTING P  START_REFUSED
      -210  StopFrameworkRequested                  PAI_FC            USER_STOP                   USER_STOP                   UNKNOWN    P  STOPPED
      -220  FrameworkAttemptCompletion              PAI_FC            USER_STOP                   USER_STOP                   UNKNOWN    P  STOPPED
      -230  DeleteTaskRequested                     PAI_FC            USER_SCALEDOWN              USER_STOP                   UNKNOWN    P  STOPPED
      -300  PodFailedWithoutFailedContainer         PAI_FC            UNKNOWN                     UNKNOWN_FAILURE             LAUNCHING  U  START_FAILED
      -310  PodCreationUnknownError                 PAI_FC            UNKNOWN                     UNKNOWN_FAILURE             LAUNCHING  U  START_FAILED
      -1000 PodEvicted                              PAI_K8S           PAI_K8S                     PLATFORM_FAILURE            RUNNING    T  EVICTED
      -1001 PodNodeLost                             PAI_K8S           PAI_K8S                     PLATFORM_FAILURE            RUNNING    T  NODE_LOST
      -1002 PodScheduledToInsufficientResourceNode  PAI_K8S           PAI_K8S                     PLATFORM_FAILURE            LAUNCHING  T  EVICTED
      -1003 PodPreemptedForCriticalPod              PAI_K8S           PAI_K8S                     PLATFORM_FAILURE            RUNNING    T  EVICTED
      -1004 PodDeadlineExceeded                     PAI_K8S           USER_STOP                   USER_STOP                   RUNNING    P  RUN_TOO_LONG
      -1005 PodNodeAdmissionForbidden               PAI_K8S           USER_SUBMISSION             USER_FAILURE                LAUNCHING  P  START_REFUSED
      -1006 PodNodeAdmissionUnexpectedError         PAI_K8S           PAI_K8S                     PLATFORM_FAILURE            LAUNCHING  T  START_FAILED
      -1100 CreateFrameworkPermanentFailed          PAI_DB_CONTROLLER USER_SUBMISSION             USER_FAILURE                SUBMITTING P  START_REFUSED
      -1300 InitContainerDockerOOMKilled            PAI_DOCKER        PAI_RUNTIME                 PLATFORM_FAILURE            LAUNCHING  T  START_FAILED
      -1200 UserContainerDockerOOMKilled            PAI_DOCKER        USER_CONTAINER              USER_FAILURE                RUNNING    P  OUT_OF_MEMORY
      -1201 ContainerDockerCreationError            PAI_DOCKER        UNKNOWN                     UNKNOWN_FAILURE             LAUNCHING  U  START_FAILED
      -1202 ContainerDockerStartCmdPermissionDenied PAI_DOCKER        PAI_RUNTIME                 PLATFORM_FAILURE            LAUNCHING  P  NOT_EXECUTABLE
      -1203 ContainerDockerStartCmdNotFound         PAI_DOCKER        PAI_RUNTIME                 PLATFORM_FAILURE            LAUNCHING  P  COMMAND_NOT_FOUND
      -1204 ContainerDockerStartUnknownError        PAI_DOCKER        UNKNOWN                     UNKNOWN_FAILURE             LAUNCHING  U  START_FAILED
      -1205 ContainerGpuDeviceNotFoundError         PAI_DOCKER        PAI_HW                      PLATFORM_FAILURE            LAUNCHING  T  GPU_HARDWARE
      128   ContainerMayFailDueToGpuDeviceEccError  USER_CONTAINER    PAI_HW                      PLATFORM_FAILURE            RUNNING    U  INVALID_EXIT
      130   ContainerSigIntReceived                 PAI_OS            PAI_OS                      PLATFORM_FAILURE            RUNNING    T  SIGNAL_INTERRUPT
      131   ContainerSigQuitReceived                PAI_OS            PAI_OS                      PLATFORM_FAILURE            RUNNING    T  SIGNAL_QUIT
      132   ContainerSigIllReceived                 USER_CONTAINER    USER_CONTAINER              USER_FAILURE                RUNNING    P  SIGNAL_ILLEGAL_INSTRUCTION
      134   ContainerSigAbrtReceived                USER_CONTAINER    UNKNOWN                     UNKNOWN_FAILURE             RUNNING    U  SIGNAL_ABORT
      135   ContainerSigBusReceived                 USER_CONTAINER    USER_CONTAINER              USER_FAILURE                RUNNING    P  SIGNAL_BUS
      136   ContainerSigFpeReceived                 USER_CONTAINER    USER_CONTAINER              USER_FAILURE                RUNNING    P  SIGNAL_ARITHMETIC
      137   ContainerSigKillReceived                PAI_OS            PAI_OS                      PLATFORM_FAILURE            RUNNING    T  SIGNAL_KILL
      139   ContainerSigSegvReceived                USER_CONTAINER    UNKNOWN                     UNKNOWN_FAILURE             RUNNING    U  SEGMENTATION_FAULT
      141   ContainerSigPipeReceived                USER_CONTAINER    USER_CONTAINER              USER_FAILURE                RUNNING    P  SIGNAL_PIPE
      143   ContainerSigTermReceived                PAI_OS            PAI_OS                      PLATFORM_FAILURE            RUNNING    T  SIGNAL_TERMINATE
      220   UserCommandExitWithError                USER_CONTAINER    USER_CONTAINER              USER_FAILURE                RUNNING    P  COMMAND_NOT_FOUND
      221   ContainerTensorflowOOMKilled            PAI_RUNTIME       USER_CONTAINER              USER_FAILURE                RUNNING    P  TENSORFLOW_OUT_OF_MEMORY
      222   ContainerMPISegvFault                   PAI_RUNTIME       USER_CONTAINER              USER_FAILURE                RUNNING    P  MPI_FAULT
      223   ContainerCudaUncorrectableECCError      PAI_RUNTIME       PAI_HW                      PLATFORM_FAILURE            RUNNING    T  GPU_HARDWARE
      224   ContainerCudaVersionMismatch            PAI_RUNTIME       USER_CONTAINER              USER_FAILURE                RUNNING    P  CUDA_VERSION
      225   ContainerCudaDnnVersionMismatch         PAI_RUNTIME       USER_CONTAINER              USER_FAILURE                RUNNING    P  CUDNN_VERSION
      226   ContainerCudaOOMKilled                  PAI_RUNTIME       USER_CONTAINER              USER_FAILURE                RUNNING    P  GPU_OUT_OF_MEMORY
      228   ContainerIncorrectParameterError        PAI_RUNTIME       USER_CONTAINER              USER_FAILURE                RUNNING    P  WRONG_ARGUMENT
      229   ContainerIncorrectDataModelError        PAI_RUNTIME       USER_CONTAINER              USER_FAILURE                RUNNING    P  DATA_MISMATCH
      230   ContainerInvalidSavePath                PAI_RUNTIME       USER_CONTAINER              USER_FAILURE                RUNNING    P  WRONG_SAVE_PATH
      231   ContainerSyntaxError                    PAI_RUNTIME       USER_CONTAINER              USER_FAILURE                RUNNING    P  PYTHON_SYNTAX
      232   ContainerImportError                    PAI_RUNTIME       USER_CONTAINER              USER_FAILURE                RUNNING    P  PYTHON_IMPORT
      233   ContainerIndexOutOfRange                PAI_RUNTIME       USER_CONTAINER              USER_FAILURE                RUNNING    P  PYTHON_INDEX
      234   ContainerSigvFault                      PAI_RUNTIME       USER_CONTAINER              USER_FAILURE                RUNNING    P  SEGMENTATION_FAULT
      235   ContainerEngineCoreDump                 PAI_RUNTIME       USER_CONTAINER              USER_FAILURE                RUNNING    P  CORE_DUMP
      249   PAIRuntimeSSHBarrierTimeout             PAI_RUNTIME       PAI_RUNTIME                 PLATFORM_FAILURE            RUNNING    P  SSH_BARRIER_TIMEOUT
      250   FrameworkBarrierTransientFailed         PAI_RUNTIME       PAI_RUNTIME                 PLATFORM_FAILURE            LAUNCHING  T  BARRIER_TIMEOUT
      251   JobGangAllocationTimeout                PAI_RUNTIME       RESOURCE_ALLOCATION_TIMEOUT RESOURCE_ALLOCATION_TIMEOUT ALLOCATING TC GANG_TIMEOUT
      252   FrameworkBarrierPermanentFailed         PAI_RUNTIME       PAI_RUNTIME                 PLATFORM_FAILURE            LAUNCHING  P  START_FAILED
      253   ContainerPortConflict                   PAI_RUNTIME       PAI_RUNTIME                 PLATFORM_FAILURE            LAUNCHING  T  PORT_CONFLICT
      254   ContainerImageNotExists                 PAI_RUNTIME       PAI_RUNTIME                 USER_FAILURE                LAUNCHING  P  IMAGE_MISSING
      255   PAIRuntimeUnknownFailed                 PAI_RUNTIME       UNKNOWN                     UNKNOWN_FAILURE             UNKNOWN    U  COMMAND_FAILED
      -8000 ContainerUndefinedNegativeExitCode      UNKNOWN           UNKNOWN                     UNKNOWN_FAILURE             UNKNOWN    U  COMMAND_FAILED
      256   PAIRuntimeExitAbnormally                PAI_RUNTIME       PAI_RUNTIME                 PLATFORM_FAILURE            UNKNOWN    U  OTHER_SIGNAL
      """;

  private static final int COMMAND_NOT_FOUND_CODE = 127;

  private static final List<Row> ROWS = TABLE.lines().map(OpenPaiExits::parseRow).toList();

  private static final Map<Integer, Row> BY_CODE =
      ROWS.stream().collect(Collectors.toUnmodifiableMap(Row::code, Function.identity()));

  private OpenPaiExits() {}

  /**
   * OpenPAI's description of an end.
   *
   * @param issuer component that detected the end
   * @param causer component that caused the end
   */
  public record Row(
      int code,
      String phrase,
      String issuer,
      String causer,
      String type,
      String stage,
      Behaviour behaviour,
      Exit exit) {}

  /** OpenPAI's retry behavior. This platform uses {@link dev.trainyard.model.RetryBehavior}. */
  public enum Behaviour {
    /** Always retried; the retries are not counted. */
    T,
    /** Always retried after a pause; the retries are not counted. */
    TC,
    /** Never retried. */
    P,
    /** Retried until the retry limit of the job is reached. */
    U
  }

  public static List<Row> rows() {
    return ROWS;
  }

  public static Optional<Row> find(int code) {
    return Optional.ofNullable(BY_CODE.get(code));
  }

  /**
   * Returns the row that an OpenPAI client receives for an end of this platform. For {@link
   * Exit#COMMAND_NOT_FOUND} with an exit code other than 127, this is the row of an ordinary
   * failure, because the script continued after the error and failed later.
   *
   * @param exitCode exit code of the task
   */
  public static Row of(Exit exit, int exitCode) {
    boolean isOrdinary = exit == Exit.COMMAND_NOT_FOUND && exitCode != COMMAND_NOT_FOUND_CODE;
    return find((isOrdinary ? Exit.COMMAND_FAILED : exit).openPaiCode()).orElseThrow();
  }

  private static Row parseRow(String line) {
    String[] columns = line.strip().split(" +", -1);
    return new Row(
        Integer.parseInt(columns[0]),
        columns[1],
        columns[2],
        columns[3],
        columns[4],
        columns[5],
        Behaviour.valueOf(columns[6]),
        Exit.valueOf(columns[7]));
  }
}
