package dev.trainyard.engine.docker;

import dev.trainyard.engine.EngineException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A range of IPv4 addresses.
 *
 * @param first the first address as a number
 * @param bits length of the common prefix
 */
public record AddressRange(long first, int bits) {
  private static final int ALL_BITS = 32;
  private static final Pattern TEXT =
      Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})/(\\d{1,2})");

  /**
   * Parses a range such as {@code 10.213.0.0/16}.
   *
   * @throws EngineException if the text is not a valid range
   */
  public static AddressRange parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new EngineException("'" + text + "' is not an address range such as 10.213.0.0/16");
    }
    long first = 0;
    for (int i = 1; i <= 4; i++) {
      int part = Integer.parseInt(matcher.group(i));
      if (part > 255) {
        throw new EngineException("'" + text + "' is not an address range such as 10.213.0.0/16");
      }
      first = first << 8 | part;
    }
    int bits = Integer.parseInt(matcher.group(5));
    AddressRange range = new AddressRange(first, Math.min(bits, ALL_BITS));
    if (bits > ALL_BITS || first % range.size() != 0) {
      throw new EngineException("'" + text + "' is not an address range such as 10.213.0.0/16");
    }
    return range;
  }

  long size() {
    return 1L << (ALL_BITS - bits);
  }

  /** Returns how many ranges of this prefix length fit in. */
  int parts(int partBits) {
    return partBits < bits ? 0 : 1 << Math.min(20, partBits - bits);
  }

  AddressRange part(int partBits, int index) {
    return new AddressRange(first + ((long) index << (ALL_BITS - partBits)), partBits);
  }

  boolean overlaps(AddressRange other) {
    return first < other.first + other.size() && other.first < first + size();
  }

  /** Returns one of the addresses, by its offset from the first. */
  String address(int offset) {
    long value = first + offset;
    return "%d.%d.%d.%d"
        .formatted(value >> 24 & 255, value >> 16 & 255, value >> 8 & 255, value & 255);
  }

  @Override
  public String toString() {
    return address(0) + "/" + bits;
  }
}
