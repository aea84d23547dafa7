package dev.trainyard.engine.docker;

import dev.trainyard.engine.EngineException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A range of IPv4 addresses.
 *
 * @param firstAddress the lowest address as a number
 * @param prefixLength length of the common prefix
 */
public record AddressRange(long firstAddress, int prefixLength) {
  private static final int ADDRESS_BITS = 32;
  private static final Pattern FORMAT =
      Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})/(\\d{1,2})");

  /**
   * Parses a range such as {@code 10.213.0.0/16}.
   *
   * @throws EngineException if the text is not a valid range
   */
  public static AddressRange parse(String text) {
    Matcher matcher = FORMAT.matcher(text);
    if (!matcher.matches()) {
      throw new EngineException("'" + text + "' is not an address range such as 10.213.0.0/16");
    }
    long firstAddress = 0;
    for (int i = 1; i <= 4; i++) {
      int octet = Integer.parseInt(matcher.group(i));
      if (octet > 255) {
        throw new EngineException("'" + text + "' is not an address range such as 10.213.0.0/16");
      }
      firstAddress = firstAddress << 8 | octet;
    }
    int prefixLength = Integer.parseInt(matcher.group(5));
    AddressRange range = new AddressRange(firstAddress, Math.min(prefixLength, ADDRESS_BITS));
    if (prefixLength > ADDRESS_BITS || firstAddress % range.size() != 0) {
      throw new EngineException("'" + text + "' is not an address range such as 10.213.0.0/16");
    }
    return range;
  }

  long size() {
    return 1L << (ADDRESS_BITS - prefixLength);
  }

  /** Returns the number of subnets with this prefix length. */
  int subnetCount(int subnetPrefixLength) {
    return subnetPrefixLength < prefixLength
        ? 0
        : 1 << Math.min(20, subnetPrefixLength - prefixLength);
  }

  AddressRange subnet(int subnetPrefixLength, int index) {
    return new AddressRange(
        firstAddress + ((long) index << (ADDRESS_BITS - subnetPrefixLength)), subnetPrefixLength);
  }

  boolean overlaps(AddressRange other) {
    return firstAddress < other.firstAddress + other.size()
        && other.firstAddress < firstAddress + size();
  }

  /** Returns one of the addresses by its offset from the first address. */
  String address(int offset) {
    long value = firstAddress + offset;
    return "%d.%d.%d.%d"
        .formatted(value >> 24 & 255, value >> 16 & 255, value >> 8 & 255, value & 255);
  }

  @Override
  public String toString() {
    return address(0) + "/" + prefixLength;
  }
}
