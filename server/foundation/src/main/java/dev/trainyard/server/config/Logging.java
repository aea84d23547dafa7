package dev.trainyard.server.config;

import dev.trainyard.engine.linux.MemoryExhaustion;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Sends the log records of all libraries to one stream, in one format. */
public final class Logging {
  private static final Map<String, Level> LEVELS =
      Map.of("error", Level.SEVERE, "warn", Level.WARNING, "info", Level.INFO, "debug", Level.FINE);

  private Logging() {}

  /**
   * Installs the log manager that keeps the handlers during shutdown. Without it, the last log
   * records of a server are lost. Must be called before the first log record. The class is
   * specified by its name, because a reference to the class would initialize logging before the
   * property is set.
   */
  public static void prepare() {
    System.setProperty(
        "java.util.logging.manager", "dev.trainyard.server.config.ShutdownLogManager");
  }

  public static void configure(Settings settings, PrintStream out) {
    String format = settings.value(Settings.LOG_FORMAT);
    boolean text = format.equals("text") || (format.equals("auto") && isTerminal());
    configure(LEVELS.get(settings.value(Settings.LOG_LEVEL)), text, out);
  }

  /**
   * Returns whether standard error is a terminal. System.console() is not used because it takes 100
   * ms.
   */
  private static boolean isTerminal() {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException e) {
      return false;
    }
  }

  private static void configure(Level level, boolean text, PrintStream out) {
    LogManager.getLogManager().reset();
    Logger root = Logger.getLogger("");
    root.setLevel(level);
    Handler handler = new StreamHandler(out);
    handler.setLevel(Level.ALL);
    handler.setFormatter(text ? new TextLogFormatter() : new JsonLogFormatter());
    root.addHandler(handler);
    if (LogManager.getLogManager() instanceof ShutdownLogManager logManager) {
      logManager.markConfigured();
    }
    for (Logger logger : VerboseLibraries.LOGGERS) {
      logger.setLevel(level.intValue() < Level.INFO.intValue() ? Level.INFO : Level.WARNING);
    }
  }

  /**
   * Loggers of verbose libraries. The loggers are referenced here, because a logger that is
   * garbage-collected loses its level.
   */
  private static final class VerboseLibraries {
    private static final List<Logger> LOGGERS =
        List.of(
            Logger.getLogger("io.netty"),
            Logger.getLogger("io.vertx"),
            Logger.getLogger("com.zaxxer.hikari"),
            Logger.getLogger("org.flywaydb"),
            Logger.getLogger("org.jdbi"));
  }

  /** Writes each record immediately. Never closes the stream, because it belongs to the caller. */
  private static final class StreamHandler extends Handler {
    private final PrintStream out;

    StreamHandler(PrintStream out) {
      this.out = out;
    }

    @Override
    public void publish(LogRecord record) {
      try {
        if (isLoggable(record)) {
          Formatter formatter = getFormatter();
          out.print(formatter.format(record));
          out.flush();
        }
      } finally {
        // Most threads catch and log errors, so an OutOfMemoryError is detected here.
        MemoryExhaustion.terminateIfExhausted(record.getThrown());
      }
    }

    @Override
    public void flush() {
      out.flush();
    }

    @Override
    public void close() {
      out.flush();
    }
  }
}
