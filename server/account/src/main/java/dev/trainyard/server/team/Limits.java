package dev.trainyard.server.team;

import dev.trainyard.scheduler.Quota;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Limits of one user. Values that are absent are inherited. The user's own limits take precedence
 * over the limits of the user's groups, of which the most generous applies. The limits of groups
 * take precedence over the limits of the server.
 */
public record Limits(Map<Limit, Long> values) {
  public static final Limits NONE = new Limits(Map.of());

  /** Value that means no limit, and that overrides an inherited limit. */
  public static final long UNLIMITED = -1;

  /**
   * Default limits of all users, which the setting, a group or the user's own limits override.
   * Without these limits, a user could fill the server's memory with waiting jobs.
   */
  public static final Limits BUILT_IN =
      new Limits(
          Map.of(
              Limit.UNFINISHED_JOBS, 10_000L,
              Limit.UNFINISHED_TASKS, 100_000L,
              Limit.UNFINISHED_FILES, 100L));

  public Limits {
    Map<Limit, Long> copy = new EnumMap<>(Limit.class);
    copy.putAll(values);
    values = Collections.unmodifiableMap(copy);
  }

  /**
   * @param labels values by the labels of limits, as in the setting
   */
  public static Limits of(Map<String, Long> labels) {
    Map<Limit, Long> values = new EnumMap<>(Limit.class);
    for (Limit limit : Limit.values()) {
      Long value = labels.get(limit.label());
      if (value != null) {
        values.put(limit, value);
      }
    }
    return new Limits(values);
  }

  /** Returns the effective limit; empty for no limit. */
  public OptionalLong of(Limit limit) {
    Long value = values.get(limit);
    return value == null || value == UNLIMITED ? OptionalLong.empty() : OptionalLong.of(value);
  }

  public Limits with(Limit limit, long value) {
    Map<Limit, Long> copy = new EnumMap<>(Limit.class);
    copy.putAll(values);
    copy.put(limit, value);
    return new Limits(copy);
  }

  /** Returns these limits, in which {@code defaults} replaces absent values. */
  public Limits orElse(Limits defaults) {
    Map<Limit, Long> merged = new EnumMap<>(Limit.class);
    merged.putAll(defaults.values);
    merged.putAll(values);
    return new Limits(merged);
  }

  /** Returns the larger value of each limit, because the rights from several groups add up. */
  Limits mostGenerous(Limits other) {
    Map<Limit, Long> merged = new EnumMap<>(Limit.class);
    merged.putAll(values);
    other.values.forEach((limit, value) -> merged.merge(limit, value, Limits::larger));
    return new Limits(merged);
  }

  private static Long larger(Long first, Long second) {
    return first == UNLIMITED || second == UNLIMITED
        ? Long.valueOf(UNLIMITED)
        : Math.max(first, second);
  }

  /** Returns the limits that apply to running jobs. */
  public Quota runningQuota() {
    return new Quota(
        of(Limit.RUNNING_JOBS), of(Limit.CPUS), of(Limit.MEMORY), of(Limit.DEVICES), Map.of());
  }
}
