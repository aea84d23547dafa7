package dev.trainyard.server.usage;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Sums usage by day and by user or virtual cluster. Does not access the database. */
final class UsageTable {
  private final Instant since;
  private final Instant until;
  private final ZoneId zone;
  private final TreeMap<Key, Sums> rows = new TreeMap<>();
  private final TreeMap<String, Sums> totals = new TreeMap<>();

  /**
   * @param zone time zone that determines the days
   */
  UsageTable(Instant since, Instant until, ZoneId zone) {
    this.since = since;
    this.until = until;
    this.zone = zone;
  }

  record Key(LocalDate day, String subject) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int byDay = day.compareTo(other.day);
      return byDay != 0 ? byDay : subject.compareTo(other.subject);
    }
  }

  /** Sums of one day, or of the whole range. */
  static final class Sums {
    private static final double MILLIS_PER_HOUR = Duration.ofHours(1).toMillis();

    private final Set<String> jobs = new HashSet<>();
    private long cpuMillis;
    private final TreeMap<String, Long> deviceMillis = new TreeMap<>();

    private void add(UsedTime usage, long millis) {
      jobs.add(usage.job());
      cpuMillis += usage.cpus() * millis;
      usage.devices().forEach(type -> deviceMillis.merge(type, millis, Long::sum));
    }

    int jobs() {
      return jobs.size();
    }

    double cpuHours() {
      return hours(cpuMillis);
    }

    Map<String, Double> deviceHours() {
      Map<String, Double> hours = new LinkedHashMap<>();
      deviceMillis.forEach((type, millis) -> hours.put(type, hours(millis)));
      return hours;
    }

    double allDeviceHours() {
      return hours(deviceMillis.values().stream().mapToLong(Long::longValue).sum());
    }

    /** Rounds to a precision of about a second, for readability. */
    private static double hours(long millis) {
      return Math.round(millis / MILLIS_PER_HOUR * 10_000) / 10_000.0;
    }
  }

  void add(UsedTime usage) {
    Instant from = usage.from().isBefore(since) ? since : usage.from();
    Instant to = usage.until().isAfter(until) ? until : usage.until();
    if (from.isBefore(to)) {
      long totalMillis = Duration.between(from, to).toMillis();
      totals.computeIfAbsent(usage.subject(), _ -> new Sums()).add(usage, totalMillis);
    }
    while (from.isBefore(to)) {
      LocalDate day = LocalDate.ofInstant(from, zone);
      Instant midnight = day.plusDays(1).atStartOfDay(zone).toInstant();
      Instant end = midnight.isBefore(to) ? midnight : to;
      rows.computeIfAbsent(new Key(day, usage.subject()), _ -> new Sums())
          .add(usage, Duration.between(from, end).toMillis());
      from = end;
    }
  }

  SortedMap<Key, Sums> rows() {
    return rows;
  }

  SortedMap<String, Sums> totals() {
    return totals;
  }

  /** Returns all device types with usage. */
  List<String> deviceTypes() {
    return totals.values().stream()
        .flatMap(sums -> sums.deviceHours().keySet().stream())
        .distinct()
        .sorted()
        .toList();
  }
}
