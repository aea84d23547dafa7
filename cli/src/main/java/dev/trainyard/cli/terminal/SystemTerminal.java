package dev.trainyard.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/** The terminal of this process. */
public final class SystemTerminal {
  private static final int DEFAULT_COLUMNS = 80;

  private SystemTerminal() {}

  public static Terminal open(Map<String, String> env) {
    boolean outIsTerminal = isTerminal(1);
    boolean errIsTerminal = isTerminal(2);
    boolean colors = env.getOrDefault("NO_COLOR", "").isEmpty() && !"dumb".equals(env.get("TERM"));
    boolean utf8 = locale(env).contains("utf-8") || locale(env).contains("utf8");
    var look =
        new Terminal.Properties(
            outIsTerminal, errIsTerminal, colors, utf8, columns(env), charset(env, utf8));
    return new Terminal(
        look, new FileOutputStream(FileDescriptor.out), new FileOutputStream(FileDescriptor.err));
  }

  /**
   * Reads the link in /proc instead of calling native code, which would increase the startup time.
   */
  public static boolean isTerminal(int descriptor) {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
      return target.startsWith("/dev/pts/")
          || target.startsWith("/dev/tty")
          || target.equals("/dev/console");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /** Returns the width of the terminal, which the launcher determines and passes as a property. */
  private static int columns(Map<String, String> env) {
    for (String width :
        new String[] {
          System.getProperty("trainyard.columns", ""), env.getOrDefault("COLUMNS", "")
        }) {
      if (width.matches("[1-9][0-9]{0,3}")) {
        return Integer.parseInt(width);
      }
    }
    return DEFAULT_COLUMNS;
  }

  private static String locale(Map<String, String> env) {
    for (String name : new String[] {"LC_ALL", "LC_CTYPE", "LANG"}) {
      String value = env.getOrDefault(name, "");
      if (!value.isEmpty()) {
        return value.toLowerCase(Locale.ROOT);
      }
    }
    return "";
  }

  /**
   * Returns the character set of the locale. If no locale is set, as in most containers, returns
   * UTF-8 because it is a better guess than ASCII.
   */
  private static Charset charset(Map<String, String> env, boolean utf8) {
    String locale = locale(env);
    boolean isUnset = locale.isEmpty() || locale.equals("c") || locale.equals("posix");
    String nativeName = System.getProperty("native.encoding", "UTF-8");
    return utf8 || isUnset || !Charset.isSupported(nativeName)
        ? StandardCharsets.UTF_8
        : Charset.forName(nativeName);
  }
}
