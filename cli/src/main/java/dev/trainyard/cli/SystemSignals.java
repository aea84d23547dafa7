package dev.trainyard.cli;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Signal handlers of this process. The first Ctrl-C runs an action, the second one exits
 * immediately. Java has no public API to handle a signal and continue. The internal API is called
 * by reflection because the compiler warns about each direct reference to it; without this API,
 * Ctrl-C terminates the command.
 */
public final class SystemSignals implements CliEnvironment.Signals {
  @Override
  public void onInterrupt(Runnable action) {
    AtomicInteger count = new AtomicInteger();
    handle(
        "INT",
        () -> {
          if (count.incrementAndGet() > 1) {
            Runtime.getRuntime().halt(ExitCode.STOPPED);
          }
          action.run();
        });
  }

  @Override
  public void onResize(Runnable action) {
    handle("WINCH", action);
  }

  private static void handle(String name, Runnable action) {
    InvocationHandler handler =
        (proxy, method, args) -> {
          if (!method.getName().equals("handle")) {
            throw new UnsupportedOperationException(method.getName());
          }
          Thread.ofPlatform().daemon().start(action);
          return null;
        };
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
      Object proxy =
          Proxy.newProxyInstance(
              handlerType.getClassLoader(), new Class<?>[] {handlerType}, handler);
      Object signalInstance = signal.getConstructor(String.class).newInstance(name);
      signal.getMethod("handle", signal, handlerType).invoke(null, signalInstance, proxy);
    } catch (ReflectiveOperationException e) {
      return;
    }
  }
}
