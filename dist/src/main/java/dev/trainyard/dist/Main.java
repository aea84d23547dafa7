package dev.trainyard.dist;

import java.util.Locale;

/**
 * Where the jar begins. Compiled for an older Java than the rest, so that somebody who starts it
 * with one reads a sentence instead of a stack trace.
 */
public final class Main {
  private static final int NEEDED = 25;

  private Main() {}

  public static void main(String[] args) throws ReflectiveOperationException {
    int version = Runtime.version().feature();
    if (version < NEEDED) {
      System.err.println(sentence(version));
      System.exit(1);
    }
    // By name: this class can't be compiled against one of a newer Java.
    Class.forName("dev.trainyard.dist.Trainyard")
        .getMethod("main", String[].class)
        .invoke(null, (Object) args);
  }

  private static String sentence(int version) {
    boolean chinese = Locale.getDefault().getLanguage().equals("zh");
    return chinese
        ? "Trainyard 需要 Java " + NEEDED + " 或更新的版本，当前是 Java " + version + "。"
        : "Trainyard needs Java " + NEEDED + " or newer; this is Java " + version + ".";
  }
}
