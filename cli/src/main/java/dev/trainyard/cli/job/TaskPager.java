package dev.trainyard.cli.job;

import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Loads all tasks of a job or an attempt; the server returns large numbers of tasks in pages. */
final class TaskPager {
  private static final int PAGE_SIZE = 500;

  private TaskPager() {}

  /**
   * @param path path of the job in the API
   * @param attempt number of the attempt
   */
  static Json loadAll(ApiClient api, String path, Json jobOrAttempt, long attempt) {
    Optional<Long> next = jobOrAttempt.findLong("tasksNext");
    if (next.isEmpty()) {
      return jobOrAttempt;
    }
    List<Object> tasks = new ArrayList<>();
    jobOrAttempt.list("tasks").forEach(task -> tasks.add(task.value()));
    while (next.isPresent()) {
      String query = "?attempt=" + attempt + "&limit=" + PAGE_SIZE + "&offset=" + next.get();
      Json page = api.read(path + "/tasks" + query);
      page.list("tasks").forEach(task -> tasks.add(task.value()));
      next = page.findLong("next");
    }
    Map<String, Object> fields = new LinkedHashMap<>(jobOrAttempt.fields());
    fields.remove("tasksNext");
    fields.put("tasks", tasks);
    return new Json(fields);
  }
}
