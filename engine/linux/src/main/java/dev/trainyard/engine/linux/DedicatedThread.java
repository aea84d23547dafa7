package dev.trainyard.engine.linux;

import java.io.IOException;
import java.util.concurrent.ThreadFactory;

/**
 * Runs work in a fresh thread that then ends, as namespaces and keyrings belong to threads.
 *
 * <p>A thread that has left the server's namespaces must not bring forth others: they would be born
 * into those of a task, or not at all. Completing a future may do just that, when it makes the pool
 * of virtual threads grow. So the result is left in a field and the thread's own end is waited for.
 */
public final class DedicatedThread<T> {
  /** What is to be done. */
  public interface Work<T> {
    T run() throws IOException;
  }

  private final Work<T> work;
  private T result;
  private IOException refusal;
  private RuntimeException failure;
  private Error error;

  private DedicatedThread(Work<T> work) {
    this.work = work;
  }

  /**
   * @throws IOException of the work, or if no thread can be started
   */
  public static <T> T run(Work<T> work) throws IOException {
    return run(work, Thread.ofPlatform().name("launch").daemon().factory());
  }

  static <T> T run(Work<T> work, ThreadFactory threads) throws IOException {
    DedicatedThread<T> own = new DedicatedThread<>(work);
    Thread thread = threads.newThread(own::perform);
    try {
      thread.start();
    } catch (OutOfMemoryError e) {
      throw new IOException("failed to start a thread: " + e.getMessage(), e);
    }
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true; // what is begun is brought to its end, and is over soon
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return own.outcome();
  }

  private void perform() {
    try {
      result = work.run();
    } catch (IOException e) {
      refusal = e;
    } catch (RuntimeException e) {
      failure = e;
    } catch (Error e) {
      error = e;
    }
  }

  private T outcome() throws IOException {
    if (refusal != null) {
      throw refusal;
    }
    if (failure != null) {
      throw failure;
    }
    if (error != null) {
      throw error;
    }
    return result;
  }
}
