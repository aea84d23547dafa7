package dev.trainyard.server.example;

import dev.trainyard.engine.Engine;
import dev.trainyard.engine.process.ProcessEngine;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;

/** Code that the rules of dev.trainyard.dist.ArchitectureRules forbid, one call in each method. */
public final class ForbiddenCalls {
  private ForbiddenCalls() {}

  /** Pauses of the current thread. */
  @SuppressWarnings("ThreadSleep")
  public static final class Sleeps {
    private Sleeps() {}

    static void millis() throws InterruptedException {
      Thread.sleep(1);
    }

    static void nanos() throws InterruptedException {
      Thread.sleep(1, 1);
    }

    static void duration() throws InterruptedException {
      Thread.sleep(Duration.ofMillis(1));
    }

    static void unit() throws InterruptedException {
      TimeUnit.SECONDS.sleep(1);
    }

    static void park() {
      LockSupport.parkNanos(1);
    }

    static void parkWithBlocker(Object blocker) {
      LockSupport.parkNanos(blocker, 1);
    }

    static void parkUntil() {
      LockSupport.parkUntil(1);
    }
  }

  /** Uses of the system clock. */
  @SuppressWarnings({"JavaTimeDefaultTimeZone", "JavaUtilDate", "TimeZoneUsage"})
  public static final class Clocks {
    private Clocks() {}

    static Instant now() {
      return Instant.now();
    }

    static Supplier<Instant> reference() {
      return Instant::now;
    }

    static LocalDate today() {
      return LocalDate.now();
    }

    static ZonedDateTime inZone(ZoneId zone) {
      return ZonedDateTime.now(zone);
    }

    static InstantSource source() {
      return InstantSource.system();
    }

    static Clock utc() {
      return Clock.systemUTC();
    }

    static Clock inDefaultZone() {
      return Clock.systemDefaultZone();
    }

    static Clock ticking(ZoneId zone) {
      return Clock.tickSeconds(zone);
    }

    static LongSupplier millis() {
      return System::currentTimeMillis;
    }

    static Date date() {
      return new Date();
    }
  }

  /** Permitted uses of an injected clock. */
  public static final class AllowedClocks {
    private AllowedClocks() {}

    static List<Object> uses(Clock clock) {
      return List.of(
          Instant.now(clock),
          LocalDate.now(clock),
          clock.instant(),
          Clock.tick(clock, Duration.ofSeconds(1)),
          System.nanoTime());
    }
  }

  /** Statements outside of a store. */
  public static final class Statements {
    private Statements() {}

    static int query(Handle handle) {
      return handle.createQuery("select 1").mapTo(Integer.class).one();
    }

    static int execute(Handle handle) {
      return handle.execute("select 1");
    }

    static boolean jdbc(Connection connection) throws SQLException {
      return connection.isValid(1);
    }
  }

  /** Passes a handle on, which is allowed. */
  public static final class HandlePassedOn {
    private HandlePassedOn() {}

    static int count(Handle handle) {
      return AllowedStore.count(handle);
    }
  }

  /** A reference to an engine class instead of the interface. */
  public static final class ChosenEngine {
    private ChosenEngine() {}

    static Class<? extends Engine> engine() {
      return ProcessEngine.class;
    }
  }
}
