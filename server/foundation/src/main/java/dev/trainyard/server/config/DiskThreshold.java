package dev.trainyard.server.config;

import dev.trainyard.model.DataSize;
import java.util.Optional;

/**
 * Threshold for low disk space. If both a percentage and an amount are given, space is low only if
 * the free space is below both, because the same percentage means very different amounts on small
 * and large disks.
 *
 * @param percent percentage of the whole disk
 */
public record DiskThreshold(Optional<Integer> percent, Optional<DataSize> amount) {
  /** Parses {@code 10%}, {@code 5GB} or {@code 10%,5GB}. */
  static DiskThreshold parse(String text) {
    Optional<Integer> percent = Optional.empty();
    Optional<DataSize> amount = Optional.empty();
    for (String part : text.split(",", -1)) {
      String value = part.strip();
      if (value.endsWith("%") && percent.isEmpty()) {
        int number = Integer.parseInt(value.substring(0, value.length() - 1));
        if (number < 0 || number > 99) {
          throw new IllegalArgumentException(text);
        }
        percent = Optional.of(number);
      } else if (amount.isEmpty()) {
        amount = Optional.of(Parsers.size(value));
      } else {
        throw new IllegalArgumentException(text);
      }
    }
    return new DiskThreshold(percent, amount);
  }

  public boolean isLow(long free, long total) {
    boolean belowPercent = percent.map(part -> free < total / 100.0 * part).orElse(true);
    boolean belowAmount = amount.map(minimum -> free < minimum.bytes()).orElse(true);
    return belowPercent && belowAmount;
  }
}
