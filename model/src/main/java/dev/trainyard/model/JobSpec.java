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
    List<RoleSpec> roles) {

  public JobSpec {
    environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    roles = List.copyOf(roles);
  }

  public int taskCount() {
    return roles.stream().mapToInt(RoleSpec::taskCount).sum();
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
        roles);
  }
}
