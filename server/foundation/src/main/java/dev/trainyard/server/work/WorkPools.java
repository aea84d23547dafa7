package dev.trainyard.server.work;

/**
 * The work pools of this process. They are shared by all servers in it because they divide its
 * processors.
 */
public final class WorkPools {
  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
  private static final int THREADS = Math.max(2, PROCESSORS);

  /** Job files up to this length take about a millisecond, so they are parsed by the caller. */
  private static final int MAX_INLINE_LENGTH = 16 * 1024;

  /**
   * Password hashing. Each piece is short and has a fixed cost. Clients that are not signed in are
   * distinguished by address only, so several may share one key, for example if many users behind
   * one address sign in at the same time.
   */
  public static final WorkPool HASHING = new WorkPool("hashing", THREADS, THREADS, 300);

  /** Job files and reports: mostly computation. */
  public static final WorkPool PARSING = new WorkPool("parsing", THREADS, THREADS - 1, 64);

  /** Directories, archives and searches in logs: mostly file access. */
  public static final WorkPool FILES =
      new WorkPool("files", Math.max(4, PROCESSORS), Math.max(4, PROCESSORS) - 1, 64, true);

  /**
   * Backups, of which one is written at a time. It occupies a thread for as long as its client
   * reads.
   */
  public static final WorkPool BACKUPS = new WorkPool("backups", 2, 2, 8, true);

  /** Maximum tasks of a small job, and elements of a small list. */
  private static final int MAX_INLINE_COUNT = 200;

  private WorkPools() {}

  /**
   * Performs work whose cost grows with the length of a text: on the calling thread if it is short.
   */
  public static <T, X extends Exception> T runForText(String text, WorkPool.Work<T, X> work)
      throws X {
    return text.length() <= MAX_INLINE_LENGTH ? work.perform() : PARSING.run(work);
  }

  /**
   * Performs work whose cost grows with a number of tasks or elements: on the calling thread if it
   * is small.
   */
  public static <T, X extends Exception> T runForCount(int count, WorkPool.Work<T, X> work)
      throws X {
    return count <= MAX_INLINE_COUNT ? work.perform() : PARSING.resume(work);
  }
}
