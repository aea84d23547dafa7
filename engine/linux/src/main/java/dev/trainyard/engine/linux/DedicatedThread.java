package dev.trainyard.engine.linux;

import java.io.IOException;
import java.util.concurrent.ThreadFactory;

/**
 * Runs an operation in a new thread that ends afterwards, because namespaces and keyrings belong to
 * threads.
 *
 * <p>A thread that has left the server's namespaces must not start other threads: they would start
 * in the namespaces of a task, or fail to start. Completing a future can start a thread, if it
 * makes the pool of virtual threads grow. Therefore the result is stored in a field and the caller
 * waits for the thread to end.
 */
public final class DedicatedThread<T> {
  /** The operation to run. */
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
   * @throws IOException from the operation, or if no thread can be started
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
        interrupted = true; // the operation must complete, and takes only a short time
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
