package dev.trainyard.cli.job;

import dev.trainyard.cli.api.Api;
import dev.trainyard.cli.api.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Loads all tasks of a job or an attempt; the server returns large numbers of tasks in pages. */
final class TaskPager {
  private static final int PAGE = 500;

  private TaskPager() {}

  /**
   * @param path of the job
   * @param attempt number of the attempt
   */
  static Json of(Api api, String path, Json found, long attempt) {
    Optional<Long> next = found.findLong("tasksNext");
    if (next.isEmpty()) {
      return found;
    }
    List<Object> tasks = new ArrayList<>();
    found.list("tasks").forEach(task -> tasks.add(task.value()));
    while (next.isPresent()) {
      String query = "?attempt=" + attempt + "&limit=" + PAGE + "&offset=" + next.get();
      Json page = api.read(path + "/tasks" + query);
      page.list("tasks").forEach(task -> tasks.add(task.value()));
      next = page.findLong("next");
    }
    Map<String, Object> whole = new LinkedHashMap<>(found.fields());
    whole.remove("tasksNext");
    whole.put("tasks", tasks);
    return new Json(whole);
  }
}
