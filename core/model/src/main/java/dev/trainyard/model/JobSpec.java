package dev.trainyard.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a person asked for, whatever format it was written in. Texts that were not given are empty,
 * never null.
 *
 * @param retryCount how often a failed job starts again; -1 on every failure, -2 always
 * @param dataDir kept verbatim as PAI_DATA_DIR
 * @param outputDir kept verbatim as PAI_OUTPUT_DIR
 * @param environment variables the file itself sets, verbatim and in its order
 * @param stopGrace how many seconds a task may take to end by itself; 0 as the server is set
 * @param keepFailed how many seconds a failed task stays for debugging, 0 for not at all
 * @param prerequisites what roles and templates refer to by name
 * @param parameters what templates quote: texts, numbers, truths, lists and maps
 */
public record JobSpec(
    JobFormat format,
    String name,
    String image,
    String virtualCluster,
    int retryCount,
    String dataDir,
    String outputDir,
    String codeDir,
    String authFile,
    Map<String, String> environment,
    int keepFailed,
    int stopGrace,
    List<RoleSpec> roles,
    List<Prerequisite> prerequisites,
    Map<String, Object> parameters,
    JobExtras extras) {

  /** What was stored before some of this existed comes without it. */
  public JobSpec {
    prerequisites = prerequisites == null ? List.of() : List.copyOf(prerequisites);
    parameters =
        parameters == null
            ? Map.of()
            : Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    extras = extras == null ? JobExtras.NONE : extras;
    environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    roles = List.copyOf(roles);
  }

  /** A job of a format that knows no more. */
  public JobSpec(
      JobFormat format,
      String name,
      String image,
      String virtualCluster,
      int retryCount,
      String dataDir,
      String outputDir,
      String codeDir,
      String authFile,
      Map<String, String> environment,
      int keepFailed,
      int stopGrace,
      List<RoleSpec> roles) {
    this(
        format,
        name,
        image,
        virtualCluster,
        retryCount,
        dataDir,
        outputDir,
        codeDir,
        authFile,
        environment,
        keepFailed,
        stopGrace,
        roles,
        List.of(),
        Map.of(),
        JobExtras.NONE);
  }

  public int taskCount() {
    return roles.stream().mapToInt(RoleSpec::taskCount).sum();
  }

  /** Of the tasks of a role. */
  public String image(RoleSpec role) {
    return role.image().isEmpty() ? image : role.image();
  }

  public RoleSpec role(String name) {
    return roles.stream()
        .filter(role -> role.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no role " + name));
  }

  public JobSpec withName(String newName) {
    return new JobSpec(
        format,
        newName,
        image,
        virtualCluster,
        retryCount,
        dataDir,
        outputDir,
        codeDir,
        authFile,
        environment,
        keepFailed,
        stopGrace,
        roles,
        prerequisites,
        parameters,
        extras);
  }

  public JobSpec withExtras(JobExtras others) {
    return new JobSpec(
        format,
        name,
        image,
        virtualCluster,
        retryCount,
        dataDir,
        outputDir,
        codeDir,
        authFile,
        environment,
        keepFailed,
        stopGrace,
        roles,
        prerequisites,
        parameters,
        others);
  }
}
