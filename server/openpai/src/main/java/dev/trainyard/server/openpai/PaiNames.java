package dev.trainyard.server.openpai;

import dev.trainyard.model.RoleSpec;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.job.JobInfo;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** OpenPAI's names for jobs, tasks and roles. */
final class PaiNames {
  /**
   * Prototype that is only cloned, never used itself, because a list needs thousands of instances
   * and creating an instance by its algorithm name takes longer than cloning one.
   */
  private static final MessageDigest MD5 = md5();

  private PaiNames() {}

  static String frameworkName(JobInfo job) {
    return job.userName() + "~" + job.name();
  }

  /** Returns the ID under which OpenPAI's database stores a job. */
  static String debugId(JobInfo job) {
    try {
      MessageDigest md5 = (MessageDigest) MD5.clone();
      byte[] digest = md5.digest(frameworkName(job).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns an ID that depends only on the kind and the task, not on the retry. */
  static String uid(String kind, TaskId task) {
    String name =
        "%s/%s/%d/%s/%d"
            .formatted(kind, task.job().value(), task.attempt(), task.role(), task.index());
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
  }

  /** Returns the ID of the container of one run of a task. */
  static String containerUid(TaskId run) {
    return uid(run.retry() == 0 ? "container" : "container-" + run.retry(), run);
  }

  /**
   * Returns the names that clients receive, by the names of the roles. They contain only lower-case
   * letters and digits. A role whose converted name would be empty or not unique keeps its own
   * name.
   */
  static Map<String, String> keys(List<RoleSpec> roles) {
    Map<String, Integer> nameCounts = new HashMap<>();
    roles.forEach(role -> nameCounts.merge(plain(role.name()), 1, Integer::sum));
    Map<String, String> keys = new HashMap<>();
    for (RoleSpec role : roles) {
      String key = plain(role.name());
      keys.put(role.name(), key.isEmpty() || nameCounts.get(key) > 1 ? role.name() : key);
    }
    return keys;
  }

  private static String plain(String role) {
    return role.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
  }

  /** Finds a role by its name in the file or by the name that clients receive. */
  static Optional<RoleSpec> role(List<RoleSpec> roles, String name) {
    Map<String, String> keys = keys(roles);
    return roles.stream()
        .filter(role -> role.name().equals(name))
        .findFirst()
        .or(() -> roles.stream().filter(role -> keys.get(role.name()).equals(name)).findFirst());
  }
}
