package dev.trainyard.server.work;

import dev.trainyard.jobfile.JobFiles;

/**
 * The work pools of this process. They are shared by all servers in it because they divide its
 * processors.
 */
public final class WorkPools {
  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
  private static final int THREADS = Math.max(2, PROCESSORS);

  /**
   * Maximum length of a job file that the calling thread parses, in less than a millisecond. It is
   * low because the plugins of a file are repeated for each role, so the parsed spec can grow with
   * the square of the length.
   */
  private static final int MAX_INLINE_LENGTH = 4 * 1024;

  /** Maximum length of a text whose parsing counts as short. */
  private static final int MAX_SHORT_LENGTH = 64 * 1024;

  /** Maximum length of a JSON body that the calling thread parses. */
  private static final int MAX_INLINE_BODY_LENGTH = 16 * 1024;

  /**
   * Password hashing. Each hash is short and has a fixed cost. Clients that are not signed in are
   * distinguished by address only, so several of them may count as one user, for example if many
   * users behind one address sign in at the same time.
   */
  public static final WorkPool HASHING = new WorkPool("hashing", THREADS, THREADS, 300);

  /** Job files, large JSON bodies and reports: mostly computation. */
  public static final WorkPool PARSING = new WorkPool("parsing", THREADS, THREADS - 1, 64);

  /**
   * Like {@link #PARSING}, for work that takes a fraction of a second, and searches in the list of
   * jobs: it does not wait until other users' largest job files are parsed, which take seconds and
   * can occupy all threads.
   */
  public static final WorkPool SHORT_PARSING =
      new WorkPool("short parsing", THREADS, THREADS - 1, 64);

  /**
   * Counts of jobs that run beside the search of their page. They have threads of their own because
   * the search, in {@link #SHORT_PARSING}, waits for them.
   */
  public static final WorkPool COUNTING =
      new WorkPool("counting", THREADS, Math.max(1, THREADS - 1), 64);

  /** Directories, archives and searches in logs: mostly file access. */
  public static final WorkPool FILES =
      new WorkPool("files", Math.max(4, PROCESSORS), Math.max(4, PROCESSORS) - 1, 64, true);

  /** Backups. One is written at a time; it occupies a thread for as long as its client reads. */
  public static final WorkPool BACKUPS = new WorkPool("backups", 2, 2, 8, true);

  /** Maximum tasks of a small job, and elements of a small list. */
  private static final int MAX_INLINE_COUNT = 200;

  /**
   * Maximum size of a stored job file with its spec that the calling thread reads, in less than a
   * millisecond.
   */
  private static final long MAX_INLINE_BYTES = 32 * 1024;

  /** Maximum tasks of a job, and elements of a list, that count as short work. */
  public static final int MAX_SHORT_COUNT = 1_000;

  /** Maximum size of a stored job file with its spec that counts as short work. */
  private static final long MAX_SHORT_BYTES = 256 * 1024;

  private WorkPools() {}

  /**
   * Performs work whose cost grows with the length of a job file: on the calling thread if it is
   * short and has neither aliases nor templates, which may expand it to several megabytes.
   */
  public static <T, X extends Exception> T runForText(String text, WorkPool.Work<T, X> work)
      throws X {
    if (text.length() > MAX_SHORT_LENGTH || JobFiles.mayExpand(text)) {
      return PARSING.run(work);
    }
    return text.length() <= MAX_INLINE_LENGTH ? work.perform() : SHORT_PARSING.run(work);
  }

  /** Performs work whose cost grows with the length of a JSON body. */
  public static <T, X extends Exception> T runForBody(String text, WorkPool.Work<T, X> work)
      throws X {
    if (text.length() <= MAX_INLINE_BODY_LENGTH) {
      return work.perform();
    }
    return (text.length() <= MAX_SHORT_LENGTH ? SHORT_PARSING : PARSING).run(work);
  }

  /**
   * Performs work whose cost grows with a number of tasks or elements: on the calling thread if it
   * is small.
   */
  public static <T, X extends Exception> T runForCount(int count, WorkPool.Work<T, X> work)
      throws X {
    return runForSize(count, 0, work);
  }

  /**
   * Like {@link #runForCount}, for work whose cost also grows with a number of stored bytes. A
   * stored spec is already expanded.
   */
  public static <T, X extends Exception> T runForSize(
      int count, long bytes, WorkPool.Work<T, X> work) throws X {
    if (count <= MAX_INLINE_COUNT && bytes <= MAX_INLINE_BYTES) {
      return work.perform();
    }
    boolean isShort = count <= MAX_SHORT_COUNT && bytes <= MAX_SHORT_BYTES;
    return (isShort ? SHORT_PARSING : PARSING).resume(work);
  }
}
