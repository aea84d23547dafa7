package dev.trainyard.server.openpai;

import dev.trainyard.server.job.JobSearch;
import dev.trainyard.server.job.JobSearch.StateFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Parses the query parameters of the job list. */
final class JobQueryString {
  private static final int DEFAULT_LIMIT = 5_000;
  private static final int MAX_LIMIT = 50_000;

  private static final Map<String, JobSearch.Order> ORDERS =
      Map.of(
          "jobName", JobSearch.Order.NAME,
          "submissionTime", JobSearch.Order.SUBMITTED,
          "username", JobSearch.Order.USER,
          "vc", JobSearch.Order.VIRTUAL_CLUSTER,
          "retries", JobSearch.Order.RETRIES,
          "totalTaskNumber", JobSearch.Order.TASKS,
          "totalGpuNumber", JobSearch.Order.DEVICES,
          "state", JobSearch.Order.STATE,
          "completionTime", JobSearch.Order.ENDED,
          "jobPriority", JobSearch.Order.PRIORITY);

  private JobQueryString() {}

  /** Returns the search; empty if no job can match, for example because of an unknown state. */
  static Optional<JobSearch> read(PaiRequest request, List<String> users) {
    List<StateFilter> states = new ArrayList<>();
    List<String> words = request.words("state");
    words.forEach(word -> states.addAll(States.matchingStates(word.toUpperCase(Locale.ROOT))));
    if (!words.isEmpty() && states.isEmpty()) {
      return Optional.empty();
    }
    int limit = number(request, "limit", DEFAULT_LIMIT);
    if (limit > MAX_LIMIT) {
      throw PaiException.invalid("Limit exceeds max number " + MAX_LIMIT + ".");
    }
    String[] order = request.query("order").orElse("submissionTime,DESC").split(",", 3);
    JobSearch.Order orderBy = ORDERS.get(order[0]);
    String direction = order.length > 1 ? order[1].toUpperCase(Locale.ROOT) : "ASC";
    if (orderBy == null || order.length > 2 || !List.of("ASC", "DESC").contains(direction)) {
      throw PaiException.invalid("The order of jobs is not valid.");
    }
    return Optional.of(
        new JobSearch(
            JobSearch.OwnerScope.USUAL,
            users,
            request.words("vc"),
            states,
            request.query("keyword").orElse(""),
            request.words("tagsContain"),
            request.words("tagsNotContain"),
            request.words("jobPriority").stream()
                .map(word -> word.equals("default") ? "" : word)
                .toList(),
            JobSearch.TimeRange.ALL,
            orderBy,
            direction.equals("DESC"),
            number(request, "offset", 0),
            limit,
            request.flag("withTotalCount")));
  }

  private static int number(PaiRequest request, String name, int defaultValue) {
    Optional<String> text = request.query(name);
    if (text.isEmpty()) {
      return defaultValue;
    }
    try {
      int number = Integer.parseInt(text.get());
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // The error is thrown below.
    }
    throw PaiException.invalid("\"" + name + "\" must be a number");
  }
}
