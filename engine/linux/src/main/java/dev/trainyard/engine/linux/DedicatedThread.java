package dev.trainyard.engine.linux;

import java.io.IOException;
import java.util.concurrent.ThreadFactory;

/**
 * Runs an operation in a new thread that ends afterwards, because namespaces and keyrings belong to
 * threads.
 *
 * <p>A thread that has left the server's namespaces must not start other threads: they would start
 * in the namespaces of a task, or fail to start. Such a thread must not complete a future either,
 * because the pool of virtual threads may start a thread for that. Therefore the result is stored
 * in a field and the caller waits for the thread to end.
 */
public final class DedicatedThread<T> {
  /** The operation to run. */
  public interface Operation<T> {
    T run() throws IOException;
  }

  private final Operation<T> operation;
  private T result;
  private IOException ioException;
  private RuntimeException runtimeException;
  private Error error;

  private DedicatedThread(Operation<T> operation) {
    this.operation = operation;
  }

  /**
   * @throws IOException from the operation, or if no thread can be started
   */
  public static <T> T run(Operation<T> operation) throws IOException {
    return run(operation, Thread.ofPlatform().name("launch").daemon().factory());
  }

  static <T> T run(Operation<T> operation, ThreadFactory threadFactory) throws IOException {
    DedicatedThread<T> dedicatedThread = new DedicatedThread<>(operation);
    Thread thread = threadFactory.newThread(dedicatedThread::runOperation);
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
        interrupted = true; // continues, because the operation must complete and takes a short time
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return dedicatedThread.resultOrThrow();
  }

  private void runOperation() {
    try {
      result = operation.run();
    } catch (IOException e) {
      ioException = e;
    } catch (RuntimeException e) {
      runtimeException = e;
    } catch (Error e) {
      error = e;
    }
  }

  private T resultOrThrow() throws IOException {
    if (ioException != null) {
      throw ioException;
    }
    if (runtimeException != null) {
      throw runtimeException;
    }
    if (error != null) {
      throw error;
    }
    return result;
  }
}
