package dev.trainyard.server.job;

import dev.trainyard.jobfile.ParsedJob;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.JobFormat;
import dev.trainyard.model.JobId;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import dev.trainyard.model.Ulid;
import dev.trainyard.scheduler.QueuedJob;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.team.JobAdmission;
import dev.trainyard.server.work.WorkPools;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;

/** Checks a job file as a submission would, without storing anything. */
final class JobCheck {
  private final Db db;
  private final JobStore jobs;
  private final JobQueue queue;
  private final Function<String, ParsedJob> parser;
  private final JobAdmission admission;
  private final Ulid ids;

  JobCheck(
      Db db,
      JobStore jobs,
      JobQueue queue,
      Function<String, ParsedJob> parser,
      JobAdmission admission,
      Ulid ids) {
    this.db = db;
    this.jobs = jobs;
    this.queue = queue;
    this.parser = parser;
    this.admission = admission;
    this.ids = ids;
  }

  static AppException invalidJob(List<Problem> problems) {
    return new AppException(
        ErrorCode.INVALID_JOB,
        Message.of("error.invalid-job", "problems", problems.size()),
        problems);
  }

  /** Returns the spec with the virtual cluster in which the job runs. */
  static JobSpec place(Handle handle, Caller caller, JobSpec spec, JobAdmission admission) {
    return spec.withVirtualCluster(admission.virtualCluster(handle, caller, spec.virtualCluster()));
  }

  Map<String, Object> of(Caller caller, String text) {
    return WorkPools.runForText(text, () -> check(caller, text));
  }

  private Map<String, Object> check(Caller caller, String text) {
    ParsedJob parsed = parser.apply(text);
    List<Problem> problems = new ArrayList<>(parsed.problems());
    Optional<Message> neverFits = Optional.empty();
    if (problems.isEmpty() && parsed.spec().isPresent()) {
      JobSpec requestedSpec = parsed.spec().get();
      JobSpec spec = db.read(handle -> place(handle, caller, requestedSpec, admission));
      problems.addAll(rejections(caller, spec, JobConfig.sizeInBytes(parsed.text(), spec)));
      // The job does not exist yet, so the ID is arbitrary.
      JobId placeholderId = new JobId(ids.next());
      neverFits = queue.neverFits(QueuedJob.of(placeholderId, caller.userName(), spec));
    }
    return view(parsed, problems, neverFits);
  }

  /**
   * Returns the reasons why a valid job file would be rejected. The reasons depend on the caller
   * and may change over time.
   */
  private List<Problem> rejections(Caller caller, JobSpec spec, long bytes) {
    List<Problem> rejections = new ArrayList<>();
    boolean isV1 = spec.format() == JobFormat.OPENPAI_V1;
    queue
        .rejection(caller.userName(), spec)
        .ifPresent(message -> rejections.add(Problem.at("", message)));
    db.read(
        handle -> {
          try {
            admission.check(handle, caller, spec, bytes);
          } catch (AppException e) {
            String clusterPath = isV1 ? "virtualCluster" : "defaults.virtualCluster";
            boolean concernsCluster = e.text().params().containsKey("vc");
            rejections.add(Problem.at(concernsCluster ? clusterPath : "", e.text()));
          }
          if (jobs.findByName(handle, caller.userId(), spec.name()).isPresent()) {
            Message nameTaken = Message.of("error.job-name-taken", "name", spec.name());
            rejections.add(Problem.at(isV1 ? "jobName" : "name", nameTaken));
          }
          return rejections;
        });
    return rejections;
  }

  private static Map<String, Object> view(
      ParsedJob parsed, List<Problem> problems, Optional<Message> neverFits) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("format", parsed.format().map(JobFormat::label).orElse(null));
    view.put("problems", problems.stream().map(JobView::problem).toList());
    view.put("warnings", parsed.warnings().stream().map(JobView::problem).toList());
    view.put("neverFits", neverFits.isPresent());
    JobView.putReason(view, neverFits);
    return view;
  }
}
