package dev.trainyard.engine.linux;

/**
 * Terminates the server process after an OutOfMemoryError, so that a supervisor restarts it instead
 * of leaving a server in which some threads have ended. {@code -XX:+ExitOnOutOfMemoryError}, which
 * the launcher sets, does so for the heap. This class also covers:
 *
 * <ul>
 *   <li>direct memory, whose errors are thrown by Java code;
 *   <li>a jar that is started without the flag;
 *   <li>a heap that is so full that the process spends most of its time on garbage collection.
 * </ul>
 */
public final class MemoryExhaustion {
  /** Exit code, the same as that of {@code -XX:+ExitOnOutOfMemoryError}. */
  public static final int EXIT_CODE = 3;

  private static final int MAX_CAUSES = 32;

  private static volatile boolean enabled;

  private MemoryExhaustion() {}

  /** Enables termination; called once by a process whose only purpose is to run the server. */
  public static void enable() {
    enabled = true;
    Thread.UncaughtExceptionHandler previousHandler = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, failure) -> {
          terminateIfExhausted(failure);
          if (previousHandler != null) {
            previousHandler.uncaughtException(thread, failure);
          } else {
            failure.printStackTrace();
          }
        });
    HeapMonitor.start(() -> terminate("most time is spent on garbage collections of a full heap"));
  }

  /**
   * Returns whether memory is exhausted. A failure to create a thread is an OutOfMemoryError too,
   * but it depends on a limit of the operating system and is transient.
   */
  public static boolean isExhausted(Throwable failure) {
    Throwable cause = failure;
    for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
      if (cause instanceof OutOfMemoryError) {
        return !String.valueOf(cause.getMessage()).contains("native thread");
      }
      cause = cause.getCause();
    }
    return false;
  }

  /** Terminates the process without running shutdown hooks if memory is exhausted. */
  public static void terminateIfExhausted(Throwable failure) {
    if (enabled && isExhausted(failure)) {
      terminate(failure);
    }
  }

  private static void terminate(Object reason) {
    try {
      System.err.println("terminating: out of memory: " + reason);
    } finally {
      Runtime.getRuntime().halt(EXIT_CODE);
    }
  }
}
