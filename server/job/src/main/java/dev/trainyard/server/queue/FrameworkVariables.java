package dev.trainyard.server.queue;

import dev.trainyard.model.TaskId;
import dev.trainyard.server.job.Job;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/**
 * The {@code FC_*} variables that OpenPAI's FrameworkController adds to every container. Trainyard
 * has no Framework objects, so the names and IDs of these objects are derived from the names and
 * IDs of the job and the task. The derived values are equally unique, and are the same each time
 * they are generated. Attempts count from 0, as in OpenPAI.
 */
final class FrameworkVariables {
  private final Job job;
  private final String name;

  FrameworkVariables(Job job) {
    this.job = job;
    this.name = md5Name(jobName());
  }

  /** Returns the name of the job in the form that OpenPAI v2 uses. */
  String jobName() {
    return job.userName() + "~" + job.name();
  }

  void addTo(Map<String, String> variables, TaskId task) {
    String attempt = String.valueOf(task.attempt() - 1);
    String configMap = id(job.id() + "." + task.attempt());
    String pod = id(task.toString());
    variables.put("FC_FRAMEWORK_NAMESPACE", "default");
    variables.put("FC_FRAMEWORK_NAME", name);
    variables.put("FC_FRAMEWORK_UID", id(job.id().value()));
    variables.put("FC_FRAMEWORK_ATTEMPT_ID", attempt);
    variables.put("FC_FRAMEWORK_ATTEMPT_INSTANCE_UID", attempt + "_" + configMap);
    variables.put("FC_CONFIGMAP_NAME", name + "-attempt");
    variables.put("FC_CONFIGMAP_UID", configMap);
    variables.put("FC_TASKROLE_NAME", task.role());
    variables.put("FC_TASKROLE_UID", id(job.id() + "." + task.attempt() + "." + task.role()));
    variables.put("FC_TASK_INDEX", String.valueOf(task.index()));
    TaskId firstRun = new TaskId(task.job(), task.attempt(), task.role(), task.index());
    variables.put("FC_TASK_UID", id("task " + firstRun));
    variables.put("FC_TASK_ATTEMPT_ID", String.valueOf(task.retry()));
    variables.put("FC_TASK_ATTEMPT_INSTANCE_UID", task.retry() + "_" + pod);
    variables.put(
        "FC_POD_NAME", name + "-" + task.role().toLowerCase(Locale.ROOT) + "-" + task.index());
    variables.put("FC_POD_UID", pod);
  }

  private static String id(String seed) {
    return UUID.nameUUIDFromBytes(seed.getBytes(StandardCharsets.UTF_8)).toString();
  }

  /**
   * Encodes a job name in the same way as OpenPAI encodes the names of objects. MD5 does not
   * protect a secret here.
   */
  private static String md5Name(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("MD5");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
