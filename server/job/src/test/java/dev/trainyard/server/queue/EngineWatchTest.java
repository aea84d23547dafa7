package dev.trainyard.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.Engine;
import dev.trainyard.engine.testkit.ScriptedEngine;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EngineWatchTest {
  /** Delegates to an engine; the second query of its availability fails. */
  private static Engine failingOnce(Engine engine) {
    AtomicInteger callCount = new AtomicInteger();
    return (Engine)
        Proxy.newProxyInstance(
            Engine.class.getClassLoader(),
            new Class<?>[] {Engine.class},
            (_, method, arguments) -> {
              if (method.getName().equals("absence") && callCount.incrementAndGet() == 2) {
                throw new IllegalStateException("no answer");
              }
              try {
                return method.invoke(engine, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void recheck_engineThrows_returnIsStillDetected() throws Exception {
    CountDownLatch returned = new CountDownLatch(1);
    try (ScriptedEngine engine = new ScriptedEngine(List.of());
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      EngineWatch watch = new EngineWatch(failingOnce(engine), threads, returned::countDown);
      engine.disconnect();
      assertThat(watch.checkOutage()).isTrue();
      engine.reconnect();
      assertThat(returned.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(watch.isUnavailable()).isFalse();
    }
  }
}
