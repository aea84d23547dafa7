package dev.trainyard.server.job;

import dev.trainyard.model.JobState;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import dev.trainyard.server.audit.TimeRangeParameters;
import dev.trainyard.server.http.Request;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Query parameters of a job list that {@link JobFilter} does not cover. */
final class JobSearchParameters {
  private static final List<String> NAMES =
      List.of(
          "scope",
          "keyword",
          "tag",
          "withoutTag",
          "virtualCluster",
          "since",
          "until",
          "sort",
          "offset",
          "total");

  private JobSearchParameters() {}

  /**
   * Returns whether the request has a parameter that requires a search. Without such a parameter,
   * the list ordered by key is used.
   */
  static boolean arePresent(Request request) {
    return NAMES.stream().anyMatch(name -> request.query(name).isPresent());
  }

  static JobSearch read(Request request, Set<JobState> states, int limit, List<Problem> problems) {
    Optional<String> sort = request.query("sort");
    boolean ascending = sort.map(text -> !text.startsWith("-")).orElse(false);
    String field = sort.map(text -> ascending ? text : text.substring(1)).orElse("submitted");
    TimeRangeParameters timeRange = TimeRangeParameters.read(request, problems);
    return new JobSearch(
        ownerScope(request, problems),
        nonEmptyWords(request, "user"),
        nonEmptyWords(request, "virtualCluster"),
        states.stream().map(JobSearch.StateFilter::of).toList(),
        request.query("keyword").orElse(""),
        nonEmptyWords(request, "tag"),
        nonEmptyWords(request, "withoutTag"),
        List.of(),
        new JobSearch.TimeRange(timeRange.since(), timeRange.until()),
        order(field, problems),
        !ascending,
        offset(request, problems),
        limit,
        request.query("total").filter("true"::equals).isPresent());
  }

  private static JobSearch.OwnerScope ownerScope(Request request, List<Problem> problems) {
    String scope = request.query("scope").orElse("");
    return switch (scope) {
      case "" -> JobSearch.OwnerScope.USUAL;
      case "own" -> JobSearch.OwnerScope.OWN;
      case "team" -> JobSearch.OwnerScope.TEAM;
      case "all" -> JobSearch.OwnerScope.ALL;
      default -> {
        Message problem = Message.of("error.not-one-of", "value", scope);
        problems.add(Problem.at("scope", problem.with("known", "own, team, all")));
        yield JobSearch.OwnerScope.USUAL;
      }
    };
  }

  private static List<String> nonEmptyWords(Request request, String name) {
    return request.words(name).stream().filter(word -> !word.isEmpty()).toList();
  }

  private static JobSearch.Order order(String field, List<Problem> problems) {
    for (JobSearch.Order order : JobSearch.Order.values()) {
      if (label(order).equals(field)) {
        return order;
      }
    }
    List<String> knownLabels = Arrays.stream(JobSearch.Order.values()).map(o -> label(o)).toList();
    problems.add(
        Problem.at(
            "sort",
            Message.of("error.not-an-order", "value", field)
                .with("known", String.join(", ", knownLabels))));
    return JobSearch.Order.SUBMITTED;
  }

  /** Returns the name in camel case, such as {@code virtualCluster}. */
  private static String label(JobSearch.Order order) {
    String[] words = order.name().toLowerCase(Locale.ROOT).split("_", -1);
    StringBuilder label = new StringBuilder(words[0]);
    for (int i = 1; i < words.length; i++) {
      label.append(words[i].substring(0, 1).toUpperCase(Locale.ROOT)).append(words[i].substring(1));
    }
    return label.toString();
  }

  private static int offset(Request request, List<Problem> problems) {
    Optional<String> text = request.query("offset");
    try {
      int offset = text.map(Integer::valueOf).orElse(0);
      if (offset >= 0) {
        return offset;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    problems.add(Problem.at("offset", Message.of("error.not-a-number", "value", text.orElse(""))));
    return 0;
  }
}
