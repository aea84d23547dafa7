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

/** What OpenPAI calls things. */
final class PaiNames {
  /** Never used itself: a list needs thousands, and finding one takes longer than a copy. */
  private static final MessageDigest MD5 = md5();

  private PaiNames() {}

  static String frameworkName(JobInfo job) {
    return job.userName() + "~" + job.name();
  }

  /** By which OpenPAI's database knows a job. */
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

  /** Always the same for the same task. */
  static String uid(String kind, TaskId task) {
    String name =
        "%s/%s/%d/%s/%d"
            .formatted(kind, task.job().value(), task.attempt(), task.role(), task.index());
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
  }

  /**
   * Roles by the names that clients are given: lower case, letters and digits only. Where two would
   * get the same, or one none, they keep their own.
   */
  static Map<String, String> keys(List<RoleSpec> roles) {
    Map<String, Integer> uses = new HashMap<>();
    roles.forEach(role -> uses.merge(plain(role.name()), 1, Integer::sum));
    Map<String, String> keys = new HashMap<>();
    for (RoleSpec role : roles) {
      String key = plain(role.name());
      keys.put(role.name(), key.isEmpty() || uses.get(key) > 1 ? role.name() : key);
    }
    return keys;
  }

  private static String plain(String role) {
    return role.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
  }

  /** The role that a client means, by the name in the file or the one it was given. */
  static Optional<RoleSpec> role(List<RoleSpec> roles, String name) {
    Map<String, String> keys = keys(roles);
    return roles.stream()
        .filter(role -> role.name().equals(name))
        .findFirst()
        .or(() -> roles.stream().filter(role -> keys.get(role.name()).equals(name)).findFirst());
  }
}
