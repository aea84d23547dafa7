package dev.trainyard.dist;

import java.util.Locale;

/**
 * Main class of the jar. It is compiled for an older Java version than all other classes, so that
 * starting the jar with an older Java prints an error message instead of a stack trace.
 */
public final class Main {
  private static final int REQUIRED_VERSION = 25;

  private Main() {}

  public static void main(String[] args) throws ReflectiveOperationException {
    int version = Runtime.version().feature();
    if (version < REQUIRED_VERSION) {
      System.err.println(versionError(version));
      System.exit(1);
    }
    // Uses reflection because this class cannot be compiled against a class that is compiled for a
    // newer Java version.
    Class.forName("dev.trainyard.dist.Trainyard")
        .getMethod("main", String[].class)
        .invoke(null, (Object) args);
  }

  private static String versionError(int version) {
    boolean chinese = Locale.getDefault().getLanguage().equals("zh");
    return chinese
        ? "Trainyard 需要 Java " + REQUIRED_VERSION + " 或更高版本，当前为 Java " + version + "。"
        : "Trainyard needs Java " + REQUIRED_VERSION + " or newer; this is Java " + version + ".";
  }
}
