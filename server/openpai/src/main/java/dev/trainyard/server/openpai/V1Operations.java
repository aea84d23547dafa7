package dev.trainyard.server.openpai;

import static dev.trainyard.server.openpai.Operation.v1;

import dev.trainyard.server.http.Reply;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobRoutes;
import java.util.List;
import java.util.Map;

/**
 * Operations on jobs under paths that OpenPAI removed in version 1.1 but older clients still use.
 */
final class V1Operations implements OpenPaiRoutes.Source {
  private final JobOperations jobs;
  private final JobAccess access;

  V1Operations(JobOperations jobs, JobAccess access) {
    this.jobs = jobs;
    this.access = access;
  }

  @Override
  public List<Operation> operations() {
    String jobsPath = "/user/:user/jobs";
    String jobPath = jobsPath + "/:name";
    return List.of(
        v1("POST", "/jobs", Guard.TOKEN, this::submit).withLimit(JobRoutes.BODY_LIMIT).ofJobs(),
        v1("GET", "/jobs", Guard.TOKEN, request -> jobs.list(request, request.words("username"))),
        v1("POST", jobsPath, Guard.TOKEN, this::submitAs).withLimit(JobRoutes.BODY_LIMIT).ofJobs(),
        v1(
            "GET",
            jobsPath,
            Guard.TOKEN,
            request -> jobs.list(request, List.of(request.path("user")))),
        v1("PUT", jobPath, Guard.TOKEN, this::submitAs).withLimit(JobRoutes.BODY_LIMIT).ofJobs(),
        v1("GET", jobPath, Guard.TOKEN, request -> jobs.show(job(request))),
        v1("DELETE", jobPath, Guard.TOKEN, this::delete).ofJobs(),
        v1("GET", jobPath + "/config", Guard.TOKEN, request -> jobs.config(request, job(request))),
        v1("GET", jobPath + "/ssh", Guard.TOKEN, this::ssh),
        v1("PUT", jobPath + "/executionType", Guard.TOKEN, this::execute).ofJobs());
  }

  private Job job(PaiRequest request) {
    return access.job(request.caller(), request.path("user") + "~" + request.path("name"));
  }

  private Reply submit(PaiRequest request) {
    Job job = jobs.submit(request.caller(), request.jobFile());
    return Reply.of(202, Map.of("message", "update job " + job.name() + " successfully"))
        .with("Location", "/api/v1/user/%s/jobs/%s".formatted(job.userName(), job.name()));
  }

  private Reply submitAs(PaiRequest request) {
    if (!request.path("user").equals(request.caller().userName())) {
      throw PaiException.forbidden(
          "User %s is not allowed to do operation on user %s."
              .formatted(request.caller().userName(), request.path("user")));
    }
    return submit(request);
  }

  private Object ssh(PaiRequest request) {
    throw JobOperations.noSsh(job(request));
  }

  private Object execute(PaiRequest request) {
    return jobs.execute(request, job(request));
  }

  private Object delete(PaiRequest request) {
    jobs.delete(request.caller(), job(request));
    return Reply.of(202, Map.of("message", "delete job " + request.path("name") + " successfully"));
  }
}
