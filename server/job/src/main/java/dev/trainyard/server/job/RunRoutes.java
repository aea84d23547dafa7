package dev.trainyard.server.job;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** {@code /api/v3/jobs/{job}/tasks/{role}/{index}/runs}: the runs of a task within one attempt. */
public final class RunRoutes {
  /** Maximum number of runs in a response; a task with unlimited retries may have more. */
  private static final int MAX_PAGE_SIZE = 500;

  private final Db db;
  private final JobService jobs;
  private final AttemptStore attempts;

  public RunRoutes(Db db, JobService jobs, AttemptStore attempts) {
    this.db = db;
    this.jobs = jobs;
    this.attempts = attempts;
  }

  public void addTo(Routes routes) {
    routes.add("GET", "/api/v3/jobs/:job/tasks/:role/:index/runs", Access.USER, this::list);
  }

  /** Resolves {@code -}, which refers to the only task of a job. */
  private static String resolveOnly(JobSpec spec, String text, String onlyValue) {
    if (!text.equals("-")) {
      return text;
    }
    if (spec.taskCount() > 1) {
      throw new AppException(
          ErrorCode.BAD_REQUEST, Message.of("error.which-task", "tasks", spec.taskCount()));
    }
    return onlyValue;
  }

  private Object list(Request request) {
    Job job = jobs.loadVisible(request.caller(), request.path("job"));
    JobSpec spec = jobs.config(job).spec();
    String role = resolveOnly(spec, request.path("role"), spec.roles().getFirst().name());
    String indexText = resolveOnly(spec, request.path("index"), "0");
    String name = role + "-" + indexText;
    int index = number(indexText, name);
    int attempt =
        request.query("attempt").map(text -> number(text, name)).orElse(job.status().attempt());
    int below = request.query("after").map(text -> number(text, name)).orElse(Integer.MAX_VALUE);
    if (spec.roles().stream().noneMatch(candidate -> candidate.name().equals(role))) {
      throw noSuchTask(name);
    }
    List<PreviousRun> previousRuns = new ArrayList<>();
    Optional<Task> newest =
        db.read(
            handle ->
                readRuns(handle, new RunQuery(job, attempt, role, index, below), previousRuns));
    if (newest.isEmpty()) {
      throw noSuchTask(name);
    }
    boolean hasMore = previousRuns.size() > MAX_PAGE_SIZE;
    List<Map<String, Object>> runs = new ArrayList<>();
    newest.filter(task -> task.id().retry() < below).map(JobView::task).ifPresent(runs::add);
    for (PreviousRun run : hasMore ? previousRuns.subList(0, MAX_PAGE_SIZE) : previousRuns) {
      // The newest run is in both tables while the next run waits for resources.
      if (run.id().retry() != newest.get().id().retry()) {
        runs.add(JobView.task(run.task()));
      }
    }
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("runs", runs);
    if (hasMore) {
      view.put("next", previousRuns.get(MAX_PAGE_SIZE - 1).id().retry());
    }
    return view;
  }

  private record RunQuery(Job job, int attempt, String role, int index, int below) {}

  private Optional<Task> readRuns(Handle handle, RunQuery query, List<PreviousRun> previousRuns) {
    Optional<Task> newest =
        attempts.find(
            handle, new TaskId(query.job().id(), query.attempt(), query.role(), query.index()));
    if (newest.isPresent()) {
      previousRuns.addAll(
          PreviousRunStore.list(handle, newest.get().id(), query.below(), MAX_PAGE_SIZE + 1));
    }
    return newest;
  }

  private static int number(String text, String task) {
    try {
      int number = Integer.parseInt(text);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // reported like a number that does not exist
    }
    throw noSuchTask(task);
  }

  private static AppException noSuchTask(String task) {
    return new AppException(ErrorCode.NOT_FOUND, Message.of("error.no-such-task", "task", task));
  }
}
