package dev.trainyard.model.diagnosis;

import static dev.trainyard.model.diagnosis.LogPattern.hint;
import static dev.trainyard.model.diagnosis.LogPattern.likely;
import static dev.trainyard.model.diagnosis.LogPattern.rootCause;

import java.util.List;
import java.util.stream.Stream;

/**
 * The patterns of known errors in logs. If a line matches several patterns, the first pattern in
 * this list counts.
 */
final class LogPatterns {
  static final List<LogPattern> ALL =
      Stream.of(
              memoryPatterns(),
              devicePatterns(),
              communicationPatterns(),
              crashPatterns(),
              programPatterns(),
              filePatterns(),
              networkPatterns(),
              fallbackPatterns())
          .flatMap(List::stream)
          .toList();

  private LogPatterns() {}

  private static List<LogPattern> memoryPatterns() {
    return List.of(
        rootCause(Exit.TENSORFLOW_OUT_OF_MEMORY, "ResourceExhaustedError", "OOM when allocating"),
        rootCause(Exit.TENSORFLOW_OUT_OF_MEMORY, "OOM when allocating tensor"),
        rootCause(Exit.NPU_OUT_OF_MEMORY, "NPU out of memory"),
        rootCause(Exit.NPU_OUT_OF_MEMORY, "device memory", "out of memory", "ascend"),
        rootCause(Exit.NPU_OUT_OF_MEMORY, "Memory not enough"),
        rootCause(Exit.NPU_OUT_OF_MEMORY, "memory isn't enough and alloc failed"),
        rootCause(Exit.NPU_OUT_OF_MEMORY, "Malloc for kernel", "failed"),
        rootCause(Exit.NPU_OUT_OF_MEMORY, "rtMalloc", "failed"),
        rootCause(Exit.NPU_OUT_OF_MEMORY, "Device(id:", "out of memory"),
        rootCause(Exit.NPU_OUT_OF_MEMORY, "EL0004"),
        rootCause(Exit.GPU_OUT_OF_MEMORY, "CUDA out of memory"),
        rootCause(Exit.GPU_OUT_OF_MEMORY, "CUDA error: out of memory"),
        rootCause(Exit.GPU_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY"),
        rootCause(Exit.GPU_OUT_OF_MEMORY, "cudaErrorMemoryAllocation"),
        rootCause(Exit.GPU_OUT_OF_MEMORY, "CUBLAS_STATUS_ALLOC_FAILED"),
        rootCause(Exit.GPU_OUT_OF_MEMORY, "HIP out of memory"),
        rootCause(Exit.GPU_OUT_OF_MEMORY, "RESOURCE_EXHAUSTED", "out of memory"),
        rootCause(Exit.GPU_OUT_OF_MEMORY, "out of memory", "GPU"),
        rootCause(Exit.SHARED_MEMORY, "insufficient shared memory"),
        rootCause(Exit.SHARED_MEMORY, "unable to", "shared memory object"),
        rootCause(Exit.SHARED_MEMORY, "No space left on device", "/dev/shm"),
        rootCause(Exit.SHARED_MEMORY, "unable to write to file </torch_"),
        rootCause(Exit.SHARED_MEMORY, "Error while creating shared memory segment"),
        rootCause(Exit.PROCESS_MEMORY, "std::bad_alloc"),
        rootCause(Exit.PROCESS_MEMORY, "Cannot allocate memory"),
        rootCause(Exit.PROCESS_MEMORY, "DefaultCPUAllocator", "allocate memory"),
        rootCause(Exit.PROCESS_MEMORY, "java.lang.OutOfMemoryError"),
        rootCause(Exit.PROCESS_MEMORY, "Unable to allocate", "for an array with shape"),
        rootCause(Exit.PROCESS_MEMORY, "oom-kill"),
        rootCause(Exit.PROCESS_MEMORY, "DataLoader worker", "killed by signal: Killed"),
        likely(Exit.PROCESS_MEMORY, "MemoryError"));
  }

  private static List<LogPattern> devicePatterns() {
    return List.of(
        rootCause(Exit.GPU_HARDWARE, "uncorrectable ECC error"),
        rootCause(Exit.GPU_HARDWARE, "CUDA_ERROR_ECC_UNCORRECTABLE"),
        rootCause(Exit.GPU_HARDWARE, "cudaErrorECCUncorrectable"),
        rootCause(Exit.GPU_HARDWARE, "GPU has fallen off the bus"),
        rootCause(Exit.GPU_HARDWARE, "GPU is lost"),
        rootCause(Exit.NPU_HARDWARE, "EL9999", "hardware"),
        rootCause(Exit.NPU_HARDWARE, "HBM", "multi-bit ECC"),
        rootCause(Exit.NPU_HARDWARE, "device", "heartbeat lost"),
        rootCause(
            Exit.CUDNN_VERSION, "Loaded runtime CuDNN library", "but source was compiled with"),
        rootCause(Exit.CUDNN_VERSION, "CUDNN_STATUS_VERSION_MISMATCH"),
        rootCause(Exit.CUDNN_VERSION, "cuDNN version incompatibility"),
        rootCause(
            Exit.CUDA_VERSION, "CUDA driver version is insufficient for CUDA runtime version"),
        rootCause(Exit.CUDA_VERSION, "NVIDIA driver on your system is too old"),
        rootCause(Exit.CUDA_VERSION, "no kernel image is available for execution on the device"),
        rootCause(Exit.CUDA_VERSION, "forward compatibility was attempted on non supported HW"),
        rootCause(Exit.CUDA_VERSION, "Driver/library version mismatch"),
        likely(Exit.GPU_MISSING, "no CUDA-capable device is detected"),
        likely(Exit.GPU_MISSING, "Found no NVIDIA driver on your system"),
        likely(Exit.GPU_MISSING, "Torch not compiled with CUDA enabled"),
        likely(Exit.GPU_MISSING, "torch.cuda.is_available() is False"),
        likely(Exit.GPU_MISSING, "No CUDA GPUs are available"),
        likely(Exit.GPU_MISSING, "CUDA error: invalid device ordinal"),
        likely(Exit.GPU_MISSING, "nvidia-smi", "not found"),
        likely(Exit.GPU_MISSING, "couldn't communicate with the NVIDIA driver"),
        likely(Exit.NPU_MISSING, "Unsupported device target Ascend"),
        likely(Exit.NPU_MISSING, "device_target", "Ascend", "not supported"),
        likely(Exit.NPU_MISSING, "torch_npu", "not available"),
        likely(Exit.NPU_MISSING, "libascendcl.so", "cannot open shared object"),
        likely(Exit.NPU_MISSING, "rtSetDevice failed"),
        likely(Exit.NPU_MISSING, "drvGetDevNum", "failed"),
        likely(Exit.NPU_MISSING, "invalid device ID", "ascend"),
        likely(Exit.OPERATOR_MISSING, "EZ3003"),
        likely(Exit.OPERATOR_MISSING, "No supported Ops kernel and engine"),
        likely(Exit.OPERATOR_MISSING, "Can not select a valid kernel info"),
        likely(Exit.OPERATOR_MISSING, "Select GPU operator", "fail"),
        likely(Exit.OPERATOR_MISSING, "operator", "is not supported", "device"));
  }

  private static List<LogPattern> communicationPatterns() {
    return List.of(
        hint(Exit.NCCL_TIMEOUT, "Watchdog caught collective operation timeout"),
        hint(Exit.NCCL_TIMEOUT, "ProcessGroupNCCL", "timeout"),
        hint(Exit.NCCL_TIMEOUT, "ProcessGroupNCCL", "timed out"),
        hint(Exit.NCCL_TIMEOUT, "NCCL", "operations", "timed out"),
        hint(Exit.HCCL_TIMEOUT, "EI0002"),
        hint(Exit.HCCL_TIMEOUT, "EI0006"),
        hint(Exit.HCCL_TIMEOUT, "HCCL", "timeout"),
        hint(Exit.HCCL_TIMEOUT, "HCCL", "time out"),
        hint(Exit.HCCL_TIMEOUT, "HCCL", "timed out"),
        hint(Exit.HCCL_TIMEOUT, "HcclCommInitRootInfo", "failed"),
        hint(Exit.RENDEZVOUS_TIMEOUT, "RendezvousTimeoutError"),
        hint(Exit.RENDEZVOUS_TIMEOUT, "TCPStore", "timed out"),
        hint(Exit.RENDEZVOUS_TIMEOUT, "Timed out", "clients joined"),
        hint(Exit.RENDEZVOUS_TIMEOUT, "The topology", "build failed"),
        hint(Exit.RENDEZVOUS_TIMEOUT, "Failed to register", "meta server"),
        hint(Exit.NCCL_ERROR, "unhandled system error", "NCCL"),
        hint(Exit.NCCL_ERROR, "unhandled cuda error", "NCCL"),
        hint(Exit.NCCL_ERROR, "NCCL error"),
        hint(Exit.NCCL_ERROR, "ncclSystemError"),
        hint(Exit.NCCL_ERROR, "ncclInternalError"),
        hint(Exit.NCCL_ERROR, "ncclRemoteError"),
        hint(Exit.NCCL_ERROR, "ncclInvalidUsage"),
        hint(Exit.HCCL_ERROR, "EI0001"),
        hint(Exit.HCCL_ERROR, "EI0004"),
        hint(Exit.HCCL_ERROR, "EI0005"),
        hint(Exit.HCCL_ERROR, "EJ0001"),
        hint(Exit.HCCL_ERROR, "rank table", "invalid"),
        hint(Exit.HCCL_ERROR, "HCCL", "failed"),
        hint(Exit.HCCL_ERROR, "HCCL error"),
        rootCause(Exit.MPI_FAULT, "Signal: Segmentation fault (11)"),
        rootCause(Exit.MPI_FAULT, "mpirun noticed that process rank", "signal 11"),
        rootCause(Exit.MPI_FAULT, "YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Segmentation"),
        hint(Exit.PEER_LOST, "Connection closed by peer", "gloo"),
        hint(Exit.PEER_LOST, "mpirun noticed that process rank"),
        hint(Exit.PEER_LOST, "multiprocessing.errors.ChildFailedError"),
        hint(Exit.PEER_LOST, "ProcessExitedException"));
  }

  private static List<LogPattern> crashPatterns() {
    return List.of(
        rootCause(Exit.SEGMENTATION_FAULT, "Segmentation fault"),
        rootCause(Exit.SEGMENTATION_FAULT, "SIGSEGV"),
        rootCause(Exit.SEGMENTATION_FAULT, "killed by signal: Segmentation fault"),
        rootCause(Exit.SEGMENTATION_FAULT, "signal 11 (SIGSEGV)"),
        likely(Exit.CORE_DUMP, "core dumped").unless("segmentation fault"),
        likely(Exit.CUDA_ERROR, "device-side assert triggered"),
        likely(Exit.CUDA_ERROR, "an illegal memory access was encountered"),
        likely(Exit.CUDA_ERROR, "CUDA error:"),
        likely(Exit.CUDA_ERROR, "CUBLAS_STATUS_"),
        likely(Exit.CUDA_ERROR, "CUDNN_STATUS_"),
        likely(Exit.CUDA_ERROR, "CUDA_ERROR_").unless("CUDA_ERROR_NO_DEVICE"),
        likely(Exit.GPU_MISSING, "CUDA_ERROR_NO_DEVICE").unless("failed call to cuInit"),
        likely(Exit.NPU_ERROR, "EZ9999"),
        likely(Exit.NPU_ERROR, "EZ1001"),
        likely(Exit.NPU_ERROR, "E19999"),
        likely(Exit.NPU_ERROR, "E39999"),
        likely(Exit.NPU_ERROR, "EE9999"),
        likely(Exit.NPU_ERROR, "run task error"),
        likely(Exit.NPU_ERROR, "aclrt", "failed"),
        likely(Exit.NPU_ERROR, "NPU error"),
        likely(Exit.NPU_ERROR, "AICore", "exception"),
        likely(Exit.NPU_ERROR, "ACL stream synchronize failed"));
  }

  private static List<LogPattern> programPatterns() {
    return List.of(
        likely(Exit.PYTHON_SYNTAX, "SyntaxError:"),
        likely(Exit.PYTHON_SYNTAX, "IndentationError:"),
        likely(Exit.PYTHON_SYNTAX, "TabError:"),
        likely(Exit.LIBRARY_MISSING, "GLIBC", "not found"),
        likely(Exit.LIBRARY_MISSING, "cannot open shared object file")
            .unless("dso_loader", "Could not load dynamic library"),
        likely(Exit.LIBRARY_MISSING, "undefined symbol:"),
        likely(Exit.PYTHON_IMPORT, "ModuleNotFoundError:"),
        likely(Exit.PYTHON_IMPORT, "ImportError:"),
        likely(Exit.PYTHON_IMPORT, "No module named"),
        likely(Exit.PYTHON_INDEX, "IndexError:"),
        likely(Exit.WINDOWS_LINE_ENDS, "$'\\r': command not found"),
        likely(Exit.WINDOWS_LINE_ENDS, "bad interpreter", "^M"),
        likely(Exit.SHELL_SYNTAX, "syntax error near unexpected token"),
        likely(Exit.SHELL_SYNTAX, "syntax error: unexpected"),
        likely(Exit.SHELL_SYNTAX, "unexpected EOF while looking for matching"),
        likely(Exit.COMMAND_NOT_FOUND, ": command not found"),
        likely(Exit.COMMAND_NOT_FOUND, "sh: ", ": not found"),
        likely(Exit.NOT_EXECUTABLE, "cannot execute binary file"),
        likely(Exit.NOT_EXECUTABLE, "Exec format error"),
        likely(Exit.WRONG_ARGUMENT, "error: unrecognized arguments"),
        likely(Exit.WRONG_ARGUMENT, "error: the following arguments are required"),
        likely(Exit.WRONG_ARGUMENT, "error: argument ", "invalid"),
        likely(Exit.WRONG_ARGUMENT, "UnrecognizedFlagError"),
        likely(Exit.WRONG_ARGUMENT, "got an unexpected keyword argument"),
        likely(Exit.DATA_MISMATCH, "Error(s) in loading state_dict"),
        likely(Exit.DATA_MISMATCH, "size mismatch for"),
        likely(Exit.DATA_MISMATCH, "mat1 and mat2 shapes cannot be multiplied"),
        likely(Exit.DATA_MISMATCH, "The size of tensor a", "must match the size of tensor b"),
        likely(Exit.DATA_MISMATCH, "Incompatible shapes:"),
        likely(Exit.DATA_MISMATCH, "Assign requires shapes of both tensors to match"),
        likely(Exit.DATA_MISMATCH, "shape", "x.shape", "y.shape", "For '"),
        likely(Exit.THREAD_LIMIT, "can't start new thread"),
        likely(Exit.THREAD_LIMIT, "fork: retry: Resource temporarily unavailable"),
        likely(Exit.THREAD_LIMIT, "fork: Resource temporarily unavailable"),
        likely(Exit.THREAD_LIMIT, "pthread_create", "Resource temporarily unavailable"));
  }

  private static List<LogPattern> filePatterns() {
    return List.of(
        rootCause(Exit.DISK_FULL, "No space left on device"),
        rootCause(Exit.QUOTA_EXCEEDED, "Disk quota exceeded"),
        likely(Exit.OPEN_FILES, "Too many open files"),
        likely(Exit.READ_ONLY, "Read-only file system"),
        likely(Exit.WRONG_SAVE_PATH, "Parent directory", "does not exist"),
        likely(Exit.WRONG_SAVE_PATH, "Failed to create a NewWriteableFile"),
        likely(Exit.WRONG_SAVE_PATH, "Cannot save file into a non-existent directory"),
        likely(Exit.PERMISSION_DENIED, "Permission denied"),
        likely(Exit.PERMISSION_DENIED, "PermissionError:"),
        likely(Exit.PERMISSION_DENIED, "Operation not permitted"),
        likely(Exit.FILE_MISSING, "No such file or directory")
            .unless("cannot open shared object file", "Could not load dynamic library"),
        likely(Exit.FILE_MISSING, "FileNotFoundError:"),
        likely(Exit.FILE_MISSING, "NotFoundError:", "file"));
  }

  private static List<LogPattern> networkPatterns() {
    return List.of(
        likely(Exit.PORT_CONFLICT, "Address already in use"),
        likely(Exit.PORT_CONFLICT, "EADDRINUSE"),
        likely(Exit.PACKAGE_INSTALL, "Could not find a version that satisfies the requirement"),
        likely(Exit.PACKAGE_INSTALL, "No matching distribution found for"),
        likely(Exit.PACKAGE_INSTALL, "Could not install packages due to"),
        likely(Exit.PACKAGE_INSTALL, "ERROR: Failed building wheel"),
        likely(Exit.PACKAGE_INSTALL, "externally-managed-environment"),
        likely(Exit.PACKAGE_INSTALL, "E: Unable to locate package"),
        likely(Exit.PACKAGE_INSTALL, "PackagesNotFoundError"),
        rootCause(Exit.SSH_BARRIER_TIMEOUT, "[trainyard: the ssh barrier timed out"),
        // The script around.sh prints this line after the output of the plugin, and that output
        // usually explains more.
        hint(Exit.PLUGIN_FAILED, "[trainyard: the runtime plugin ", " failed with exit code "),
        likely(Exit.GIT_FAILED, "fatal: ", "repository", "not"),
        likely(Exit.GIT_FAILED, "fatal: destination path", "already exists"),
        likely(Exit.GIT_FAILED, "fatal: unable to access"),
        likely(Exit.GIT_FAILED, "fatal: could not read Username"),
        likely(Exit.NAME_RESOLUTION, "Temporary failure in name resolution"),
        likely(Exit.NAME_RESOLUTION, "Name or service not known"),
        likely(Exit.NAME_RESOLUTION, "Could not resolve host"),
        likely(Exit.NAME_RESOLUTION, "Failed to resolve"),
        likely(Exit.NETWORK, "Network is unreachable"),
        likely(Exit.NETWORK, "No route to host"),
        likely(Exit.NETWORK, "CERTIFICATE_VERIFY_FAILED"),
        likely(Exit.NETWORK, "requests.exceptions.ConnectionError"),
        likely(Exit.NETWORK, "Read timed out"),
        likely(Exit.NETWORK, "We couldn't connect to"),
        likely(Exit.NETWORK, "Max retries exceeded with url"),
        likely(Exit.NETWORK, "urlopen error"),
        hint(Exit.NETWORK, "Connection refused"),
        hint(Exit.NETWORK, "Connection timed out"),
        hint(Exit.PEER_LOST, "Connection reset by peer"));
  }

  private static List<LogPattern> fallbackPatterns() {
    return List.of(hint(Exit.PYTHON_EXCEPTION, LogScanner.TRACEBACK));
  }
}
