package dev.trainyard.dist;

import java.util.Locale;

/**
 * Where the jar begins. Compiled for an older Java than the rest, so that somebody who starts it
 * with one reads a sentence instead of a stack trace.
 */
public final class Main {
  private static final int NEEDED = 25;

  private static final String CARRIERS = "jdk.virtualThreadScheduler.parallelism";

  /**
   * How many virtual threads can run at the same time. A virtual thread that loads a class keeps
   * its carrier while it waits for the jar. If all carriers wait like this, the virtual thread that
   * they wait for cannot continue, and the server hangs; with one carrier per processor, the
   * default, that happened when jobs were adopted at the start.
   */
  private static final int ENOUGH_CARRIERS = 256;

  private Main() {}

  public static void main(String[] args) throws ReflectiveOperationException {
    int version = Runtime.version().feature();
    if (version < NEEDED) {
      System.err.println(sentence(version));
      System.exit(1);
    }
    allowManyCarriers();
    // By name: this class can't be compiled against one of a newer Java.
    Class.forName("dev.trainyard.dist.Trainyard")
        .getMethod("main", String[].class)
        .invoke(null, (Object) args);
  }

  /** Has an effect only before the first virtual thread starts. */
  static void allowManyCarriers() {
    if (System.getProperty(CARRIERS) == null) {
      System.setProperty(CARRIERS, Integer.toString(ENOUGH_CARRIERS));
    }
  }

  private static String sentence(int version) {
    boolean chinese = Locale.getDefault().getLanguage().equals("zh");
    return chinese
        ? "Trainyard 需要 Java " + NEEDED + " 或更新的版本，当前是 Java " + version + "。"
        : "Trainyard needs Java " + NEEDED + " or newer; this is Java " + version + ".";
  }
}
