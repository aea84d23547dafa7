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
 * Selection, order and page of a job search. An empty criterion matches all jobs.
 *
 * @param ownerScope restricts the owners
 * @param users names of owners
 * @param keyword part of owner, name or virtual cluster; case-insensitive
 * @param tags selects jobs that have at least one of these tags
 * @param withoutTags selects jobs that have none of these tags
 * @param priorities priority classes; an empty text matches jobs without a priority class
 * @param submitted range of submission times
 * @param withTotal whether to count all matching jobs
 */
public record JobSearch(
    OwnerScope ownerScope,
    List<String> users,
    List<String> virtualClusters,
    List<StateFilter> states,
    String keyword,
    List<String> tags,
    List<String> withoutTags,
    List<String> priorities,
    TimeRange submitted,
    Order order,
    boolean descending,
    int offset,
    int limit,
    boolean withTotal) {

  public JobSearch {
    users = List.copyOf(users);
    virtualClusters = List.copyOf(virtualClusters);
    states = List.copyOf(states);
    tags = List.copyOf(tags);
    withoutTags = List.copyOf(withoutTags);
    priorities = List.copyOf(priorities);
  }

  /** Returns the search for another page of the same list. */
  JobSearch page(int newOffset, int newLimit) {
    return with(submitted, order, descending, newOffset, newLimit);
  }

  /** Returns the search for only the most recently submitted matching job. */
  JobSearch newest() {
    return with(submitted, Order.SUBMITTED, true, 0, 1);
  }

  /** Returns the search restricted to jobs that were not submitted after this job. */
  JobSearch notAfter(JobId newestJob) {
    Instant until = Ulid.timeOf(newestJob.value()).plusMillis(1);
    boolean endsEarlier = submitted.until().filter(end -> end.isBefore(until)).isPresent();
    TimeRange span = endsEarlier ? submitted : new TimeRange(submitted.since(), Optional.of(until));
    return with(span, order, descending, offset, limit);
  }

  private JobSearch with(
      TimeRange span, Order newOrder, boolean newDescending, int newOffset, int newLimit) {
    return new JobSearch(
        ownerScope,
        users,
        virtualClusters,
        states,
        keyword,
        tags,
        withoutTags,
        priorities,
        span,
        newOrder,
        newDescending,
        newOffset,
        newLimit,
        false);
  }

  /**
   * Restricts the owners whose jobs are searched. Jobs that the caller may not see are never found.
   */
  public enum OwnerScope {
    /** The caller's own jobs; for an administrator, all jobs. */
    USUAL,
    /** The caller's own jobs, also for an administrator. */
    OWN,
    /** The caller's own jobs and the jobs that are shared in the caller's groups. */
    TEAM,
    /** All jobs that the caller may see. */
    ALL
  }

  /**
   * A state, optionally restricted to certain stop causes.
   *
   * @param causes stop causes; empty for all
   */
  public record StateFilter(JobState state, Set<StopCause> causes) {
    public static StateFilter of(JobState state) {
      return new StateFilter(state, Set.of());
    }
  }

  /**
   * A time range; either bound may be missing.
   *
   * @param until exclusive end of the range
   */
  public record TimeRange(Optional<Instant> since, Optional<Instant> until) {
    public static final TimeRange ALL = new TimeRange(Optional.empty(), Optional.empty());
  }

  /** Sort key. IDs increase with the time of submission. */
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
    private final boolean nullable;

    Order(String column, boolean nullable) {
      this.column = column;
      this.nullable = nullable;
    }

    String column() {
      return column;
    }

    /**
     * Returns the direction as SQL. Missing values come last in ascending order and first in
     * descending order.
     */
    String sqlDirection(boolean descending) {
      String direction = descending ? " desc" : " asc";
      if (!nullable) {
        return direction;
      }
      return direction + (descending ? " nulls first" : " nulls last");
    }
  }
}
