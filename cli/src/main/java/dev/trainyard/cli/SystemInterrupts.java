package dev.trainyard.cli;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ctrl-C of this process. The first runs an action, the second leaves at once. Java has no public
 * way to hear a signal and go on; the one everybody uses is reached by reflection, because the
 * compiler warns at each mention of it. Where it is missing, Ctrl-C simply ends the command.
 */
public final class SystemInterrupts implements World.Interrupts {
  @Override
  public void onInterrupt(Runnable action) {
    AtomicInteger count = new AtomicInteger();
    InvocationHandler handler =
        (proxy, method, args) -> {
          if (!method.getName().equals("handle")) {
            throw new UnsupportedOperationException(method.getName());
          }
          if (count.incrementAndGet() > 1) {
            Runtime.getRuntime().halt(ExitCode.STOPPED);
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
      Object interrupt = signal.getConstructor(String.class).newInstance("INT");
      signal.getMethod("handle", signal, handlerType).invoke(null, interrupt, proxy);
    } catch (ReflectiveOperationException e) {
      return;
    }
  }
}
