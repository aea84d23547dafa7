package dev.trainyard.machine;

import java.io.IOException;

/**
 * Runs work in a fresh thread that then ends, as namespaces and keyrings belong to threads.
 *
 * <p>A thread that has left the server's namespaces must not bring forth others: they would be born
 * into those of a task, or not at all. Completing a future may do just that, when it makes the pool
 * of virtual threads grow. So the result is left in a field and the thread's own end is waited for.
 */
public final class OwnThread<T> {
  /** What is to be done. */
  public interface Work<T> {
    T run() throws IOException;
  }

  private final Work<T> work;
  private T result;
  private IOException refusal;
  private RuntimeException failure;

  private OwnThread(Work<T> work) {
    this.work = work;
  }

  public static <T> T run(Work<T> work) throws IOException {
    OwnThread<T> own = new OwnThread<>(work);
    Thread thread = Thread.ofPlatform().name("launch").daemon().start(own::perform);
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
    }
  }

  private T outcome() throws IOException {
    if (refusal != null) {
      throw refusal;
    }
    if (failure != null) {
      throw failure;
    }
    return result;
  }
}
