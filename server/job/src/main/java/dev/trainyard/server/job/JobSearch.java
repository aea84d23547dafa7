package dev.trainyard.server.job;

import dev.trainyard.model.JobId;
import dev.trainyard.model.JobState;
import dev.trainyard.model.StopCause;
import dev.trainyard.model.Ulid;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which jobs, in which order, and which part of them. Whatever is empty chooses nothing.
 *
 * @param whose among which owners' jobs
 * @param users names of owners
 * @param keyword a part of owner, name or virtual cluster, in any case
 * @param tags jobs that have one of them
 * @param withoutTags jobs that have none of them
 * @param priorities classes; an empty text stands for jobs that have none
 * @param submitted when they came
 * @param counted whether all that match are counted
 */
public record JobSearch(
    Whose whose,
    List<String> users,
    List<String> virtualClusters,
    List<InState> states,
    String keyword,
    List<String> tags,
    List<String> withoutTags,
    List<String> priorities,
    Span submitted,
    Order order,
    boolean descending,
    int offset,
    int limit,
    boolean counted) {

  public JobSearch {
    users = List.copyOf(users);
    virtualClusters = List.copyOf(virtualClusters);
    states = List.copyOf(states);
    tags = List.copyOf(tags);
    withoutTags = List.copyOf(withoutTags);
    priorities = List.copyOf(priorities);
  }

  /** The same list, another part of it. */
  JobSearch part(int from, int most) {
    return with(submitted, order, descending, from, most);
  }

  /** Only the one that came last of all that is looked for. */
  JobSearch newest() {
    return with(submitted, Order.SUBMITTED, true, 0, 1);
  }

  /** The same without jobs that came after this one. */
  JobSearch notAfter(JobId last) {
    Instant until = Ulid.timeOf(last.value()).plusMillis(1);
    boolean sooner = submitted.until().filter(end -> end.isBefore(until)).isPresent();
    Span span = sooner ? submitted : new Span(submitted.since(), Optional.of(until));
    return with(span, order, descending, offset, limit);
  }

  private JobSearch with(Span span, Order by, boolean downwards, int from, int most) {
    return new JobSearch(
        whose,
        users,
        virtualClusters,
        states,
        keyword,
        tags,
        withoutTags,
        priorities,
        span,
        by,
        downwards,
        from,
        most,
        false);
  }

  /** Among whose jobs is looked; nobody finds what they may not see. */
  public enum Whose {
    /** One's own; an administrator's question is about everybody's. */
    USUAL,
    /** One's own, an administrator's too. */
    OWN,
    /** One's own and those that are shared in one's groups. */
    TEAM,
    /** All that one may see. */
    ALL
  }

  /**
   * A state, or only a part of it.
   *
   * @param causes why it is being stopped; empty for whatever reason
   */
  public record InState(JobState state, Set<StopCause> causes) {
    public static InState of(JobState state) {
      return new InState(state, Set.of());
    }
  }

  /**
   * A time with a beginning, an end, both or neither.
   *
   * @param until the first moment that is no longer meant
   */
  public record Span(Optional<Instant> since, Optional<Instant> until) {
    public static final Span ALL = new Span(Optional.empty(), Optional.empty());
  }

  /** By what jobs are put in order. Ids grow with the time of submission. */
  public enum Order {
    SUBMITTED("id", false),
    NAME("name", false),
    USER("user_name", false),
    VIRTUAL_CLUSTER("virtual_cluster", false),
    RETRIES("attempt", false),
    TASKS("task_count", false),
    DEVICES("devices", false),
    STATE("state", false),
    ENDED("ended", true),
    PRIORITY("priority", true);

    private final String column;
    private final boolean maybeNull;

    Order(String column, boolean maybeNull) {
      this.column = column;
      this.maybeNull = maybeNull;
    }

    String column() {
      return column;
    }

    /** What is not there comes last, or first in the opposite order. */
    String sql(boolean descending) {
      String direction = descending ? " desc" : " asc";
      if (!maybeNull) {
        return direction;
      }
      return direction + (descending ? " nulls first" : " nulls last");
    }
  }
}
