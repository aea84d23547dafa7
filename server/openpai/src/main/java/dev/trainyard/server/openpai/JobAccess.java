package dev.trainyard.server.openpai;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.RoleSpec;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.job.Attempt;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobService;
import dev.trainyard.server.job.Task;
import java.util.Optional;

/** Finds the objects named in the path of a request; throws an exception if they do not exist. */
final class JobAccess {
  private final JobService service;

  JobAccess(JobService service) {
    this.service = service;
  }

  Job job(PaiRequest request) {
    return job(request.caller(), request.path("job"));
  }

  /**
   * @param reference {@code user~name}
   */
  Job job(Caller caller, String reference) {
    if (reference.indexOf('~') < 0) {
      throw PaiException.noJob(reference);
    }
    try {
      return service.load(caller, reference);
    } catch (AppException e) {
      // Jobs shared by other users are visible in the native API only, not in OpenPAI's.
      if (e.code() == ErrorCode.NOT_FOUND || e.code() == ErrorCode.FORBIDDEN) {
        throw PaiException.noJob(reference);
      }
      throw e;
    }
  }

  /**
   * Returns the attempt with the given number; numbers start at 0. For number 0 of a job that has
   * no attempts yet, returns an empty result. Any other number of a missing attempt is an error.
   */
  Optional<Attempt> attempt(Job job, String text) {
    int number = index(text);
    Optional<Attempt> attempt = attempt(job, number + 1);
    if (number < 0 || (attempt.isEmpty() && (number > 0 || job.status().attempt() > 0))) {
      throw PaiException.noJob(PaiNames.frameworkName(job));
    }
    return attempt;
  }

  Optional<Attempt> newest(Job job) {
    return attempt(job, job.status().attempt());
  }

  private Optional<Attempt> attempt(Job job, int number) {
    return number < 1
        ? Optional.empty()
        : service.attempts(job, number + 1, 1).stream()
            .filter(attempt -> attempt.number() == number)
            .findFirst();
  }

  /**
   * A task of the job file, with its job and attempt.
   *
   * @param attempt empty before the first attempt
   * @param id ID of the newest run; the ID of the first run of the job if there is no attempt yet
   * @param task empty if the task is not placed yet, or was never placed
   * @param key name of the task's role as clients receive it
   */
  record FoundTask(
      Job job, Optional<Attempt> attempt, TaskId id, Optional<Task> task, String key) {}

  FoundTask task(PaiRequest request) {
    Job job = job(request);
    Optional<Attempt> attempt = attempt(job, request.path("attempt"));
    JobSpec spec = service.config(job).spec();
    Optional<RoleSpec> role = PaiNames.role(spec.roles(), request.path("role"));
    int index = index(request.path("index"));
    if (role.isPresent() && index >= 0 && index < role.get().taskCount()) {
      int number = attempt.map(Attempt::number).orElse(1);
      TaskId first = new TaskId(job.id(), number, role.get().name(), index);
      Optional<Task> task = attempt.isPresent() ? service.task(first) : Optional.empty();
      String key = PaiNames.keys(spec.roles()).get(role.get().name());
      return new FoundTask(job, attempt, task.map(Task::id).orElse(first), task, key);
    }
    throw new PaiException(
        404,
        "NoTaskError",
        "Task %s-%s of job %s is not found."
            .formatted(request.path("role"), request.path("index"), PaiNames.frameworkName(job)));
  }

  /** Returns a number in a path; -1 if it is not a number. */
  static int index(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
