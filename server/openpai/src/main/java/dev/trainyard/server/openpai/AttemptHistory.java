package dev.trainyard.server.openpai;

import dev.trainyard.server.job.Attempt;
import dev.trainyard.server.job.Job;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** An attempt in the older format that {@code job-attempts} returns. */
final class AttemptHistory {
  private AttemptHistory() {}

  static Map<String, Object> of(JobDetail detail) {
    Job job = detail.job();
    Optional<Attempt> attempt = detail.attempt();
    Map<String, Object> exit = new LinkedHashMap<>();
    detail.putExit(exit);
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("jobName", job.name());
    view.put("frameworkName", PaiNames.frameworkName(job));
    view.put("uid", job.id().value());
    view.put("userName", job.userName());
    view.put("state", detail.attemptState());
    view.put("originState", detail.isNewest() ? States.subState(job) : "Completed");
    view.put("attemptIndex", attempt.map(shown -> shown.number() - 1).orElse(0));
    view.put("jobStartedTime", JobSummary.millis(job.status().started()));
    view.put("attemptStartedTime", JobSummary.millis(attempt.flatMap(Attempt::started)));
    view.put("attemptCompletedTime", JobSummary.millis(attempt.flatMap(Attempt::ended)));
    view.put("exitCode", exit.get("appExitCode"));
    view.put("exitPhrase", exit.get("appExitSpec") instanceof Map<?, ?> s ? s.get("phrase") : null);
    view.put("exitType", exit.get("appExitType"));
    view.put("exitDiagnostics", diagnostics(detail, exit));
    for (String name :
        new String[] {
          "appExitTriggerMessage",
          "appExitTriggerTaskRoleName",
          "appExitTriggerTaskIndex",
          "appExitSpec",
          "appExitDiagnostics"
        }) {
      view.put(name, exit.get(name));
    }
    view.put("appExitMessages", detail.messagesWithRuntimeOutput());
    view.put("totalGpuNumber", job.devices());
    view.put("totalTaskNumber", job.taskCount());
    view.put("totalTasknumber", job.taskCount());
    view.put("totalTaskRoleNumber", job.roleCount());
    view.put("taskRoles", taskRoles(detail));
    view.put("isLatest", detail.isNewest());
    return view;
  }

  /**
   * Returns the roles. In this format, a task without an address has an empty address instead of
   * null.
   */
  private static Map<String, Object> taskRoles(JobDetail detail) {
    Map<String, JobDetail.RoleView> roles = detail.taskRoles();
    for (JobDetail.RoleView role : roles.values()) {
      role.taskStatuses().forEach(status -> status.putIfAbsent("containerIp", ""));
    }
    return JobDetail.fields(roles);
  }

  /**
   * Returns the diagnostics of the exit; null if the attempt has none, for example while it is
   * running.
   */
  private static Map<String, Object> diagnostics(JobDetail detail, Map<String, Object> exit) {
    if (!(exit.get("appExitDiagnostics") instanceof String summary)) {
      return null;
    }
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("diagnosticsSummary", summary);
    view.put("runtime", detail.runtimeOutput().orElse(null));
    view.put("launcher", summary);
    return view;
  }
}
