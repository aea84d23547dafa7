package dev.trainyard.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The content of a job file, independent of its format. Strings that the file does not set are
 * empty, never null.
 *
 * @param retryCount maximum number of retries of a failed job; -1: retry after every failure; -2:
 *     retry after every end
 * @param dataDir passed on unchanged as PAI_DATA_DIR
 * @param outputDir passed on unchanged as PAI_OUTPUT_DIR
 * @param environment variables set in the file, unchanged and in their order
 * @param stopGrace grace period of a stopped task in seconds; 0 for the server's setting
 * @param keepFailed seconds for which a failed task is kept for debugging; 0 to disable
 * @param prerequisites objects that roles and templates refer to by name
 * @param parameters values for templates: strings, numbers, booleans, lists and maps
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

  /** Accepts null for fields that stored jobs of earlier versions do not contain. */
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

  /** Creates a job without prerequisites, parameters and extras. */
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

  /** Returns the image of the tasks of a role. */
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

  public JobSpec withVirtualCluster(String newVirtualCluster) {
    return new JobSpec(
        format,
        name,
        image,
        newVirtualCluster,
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

  public JobSpec withExtras(JobExtras newExtras) {
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
        newExtras);
  }
}
