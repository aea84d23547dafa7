package dev.trainyard.model;

import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Generates ULIDs: 48 bits of time and 80 random bits, in Crockford's base 32. The IDs of one
 * generator increase strictly even within a millisecond or if the clock is set back. Thread-safe.
 */
public final class Ulid {
  private static final String DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  private static final int LENGTH = 26;
  private static final long HIGH_MASK = 0xFFFF;

  private final InstantSource clock;
  private final RandomGenerator random;
  private long lastTime = -1;
  private long high;
  private long low;

  public Ulid(InstantSource clock) {
    this(clock, new SecureRandom());
  }

  Ulid(InstantSource clock, RandomGenerator random) {
    this.clock = clock;
    this.random = random;
  }

  public static boolean isValid(String text) {
    if (text.length() != LENGTH || text.charAt(0) > '7') {
      return false;
    }
    // This is a loop because lists check thousands of IDs, and a stream would take several times as
    // long.
    for (int i = 0; i < LENGTH; i++) {
      if (DIGITS.indexOf(text.charAt(i)) < 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the smallest ULID of this millisecond: it is greater than every ID of an earlier time
   * and not greater than any other ID.
   */
  public static String firstAt(Instant moment) {
    char[] text = new char[LENGTH];
    Arrays.fill(text, '0');
    writeTime(text, moment.toEpochMilli());
    return new String(text);
  }

  /**
   * Returns the time contained in an ID.
   *
   * @param id a valid ID
   */
  public static Instant timeOf(String id) {
    long time = 0;
    for (int i = 0; i < 10; i++) {
      time = time << 5 | DIGITS.indexOf(id.charAt(i));
    }
    return Instant.ofEpochMilli(time);
  }

  public synchronized String next() {
    long now = clock.millis();
    if (now > lastTime) {
      lastTime = now;
      high = random.nextLong() & HIGH_MASK;
      low = random.nextLong();
    } else if (++low == 0 && ++high > HIGH_MASK) {
      high = 0;
      lastTime++;
    }
    char[] text = new char[LENGTH];
    writeTime(text, lastTime);
    long upper = high;
    long lower = low;
    for (int i = LENGTH - 1; i >= 10; i--) {
      text[i] = DIGITS.charAt((int) (lower & 31));
      lower = (lower >>> 5) | (upper << 59);
      upper >>>= 5;
    }
    return new String(text);
  }

  private static void writeTime(char[] text, long millis) {
    long time = millis;
    for (int i = 9; i >= 0; i--) {
      text[i] = DIGITS.charAt((int) (time & 31));
      time >>>= 5;
    }
  }
}
