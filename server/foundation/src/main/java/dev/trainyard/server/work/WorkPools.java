package dev.trainyard.server.work;

import dev.trainyard.jobfile.JobFiles;

/**
 * The work pools of this process. All servers in the process share the pools, because they share
 * its processors.
 */
public final class WorkPools {
  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
  private static final int THREADS = Math.max(2, PROCESSORS);

  /**
   * Maximum length of a job file that is parsed on the calling thread, which takes less than a
   * millisecond. The value is low because the plugins of a file are repeated for each role, so the
   * size of the parsed spec can grow with the square of the length.
   */
  private static final int MAX_INLINE_LENGTH = 4 * 1024;

  /** Maximum length of a text whose parsing counts as short. */
  private static final int MAX_SHORT_LENGTH = 64 * 1024;

  /** Maximum length of a JSON body that is parsed on the calling thread. */
  private static final int MAX_INLINE_BODY_LENGTH = 16 * 1024;

  /**
   * Password hashing. Each hash takes a short, fixed time. The queue per user is long, because all
   * clients that are not signed in at one address count as one user, and many users behind one
   * address may sign in at the same time.
   */
  public static final WorkPool HASHING = new WorkPool("hashing", THREADS, THREADS, 300);

  /** Parsing of job files and large JSON bodies, and reports: mostly computation. */
  public static final WorkPool PARSING = new WorkPool("parsing", THREADS, THREADS - 1, 64);

  /**
   * Like {@link #PARSING}, for work that takes a fraction of a second, and for searches in the list
   * of jobs. Such work must not wait until the largest job files of other users are parsed, which
   * takes seconds and can occupy all threads.
   */
  public static final WorkPool SHORT_PARSING =
      new WorkPool("short parsing", THREADS, THREADS - 1, 64);

  /**
   * Counting of jobs, in parallel with the search for a page of jobs. It has separate threads
   * because that search, which runs in {@link #SHORT_PARSING}, waits for the count.
   */
  public static final WorkPool COUNTING =
      new WorkPool("counting", THREADS, Math.max(1, THREADS - 1), 64);

  /** Directories, archives and searches in logs: mostly file access. */
  public static final WorkPool FILES =
      new WorkPool("files", Math.max(4, PROCESSORS), Math.max(4, PROCESSORS) - 1, 64, true);

  /**
   * Backups. One backup is written at a time, and occupies a thread until its client has read it.
   */
  public static final WorkPool BACKUPS = new WorkPool("backups", 2, 2, 8, true);

  /**
   * Maximum number of tasks of a job, or elements of a list, that are processed on the calling
   * thread.
   */
  private static final int MAX_INLINE_COUNT = 200;

  /**
   * Maximum size of a stored job file with its spec that is read on the calling thread, which takes
   * less than a millisecond.
   */
  private static final long MAX_INLINE_BYTES = 32 * 1024;

  /** Maximum number of tasks of a job, or elements of a list, that count as short work. */
  public static final int MAX_SHORT_COUNT = 1_000;

  /** Maximum size of a stored job file with its spec that counts as short work. */
  private static final long MAX_SHORT_BYTES = 256 * 1024;

  private WorkPools() {}

  /**
   * Performs work whose cost grows with the length of a job file. The work runs on the calling
   * thread if the file is short and has neither aliases nor templates, which may expand it to
   * several megabytes.
   */
  public static <T, X extends Exception> T runForText(String text, WorkPool.Work<T, X> work)
      throws X {
    if (text.length() > MAX_SHORT_LENGTH || JobFiles.mayExpand(text)) {
      return PARSING.run(work);
    }
    return text.length() <= MAX_INLINE_LENGTH ? work.perform() : SHORT_PARSING.run(work);
  }

  /**
   * Performs work whose cost grows with the length of a JSON body; on the calling thread if the
   * body is short.
   */
  public static <T, X extends Exception> T runForBody(String text, WorkPool.Work<T, X> work)
      throws X {
    if (text.length() <= MAX_INLINE_BODY_LENGTH) {
      return work.perform();
    }
    return (text.length() <= MAX_SHORT_LENGTH ? SHORT_PARSING : PARSING).run(work);
  }

  /**
   * Performs work whose cost grows with a number of tasks or elements; on the calling thread if the
   * number is small.
   */
  public static <T, X extends Exception> T runForCount(int count, WorkPool.Work<T, X> work)
      throws X {
    return runForSize(count, 0, work);
  }

  /**
   * Like {@link #runForCount}, for work whose cost also grows with a number of stored bytes.
   * Aliases and templates need no special treatment, because a stored spec is already expanded.
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
