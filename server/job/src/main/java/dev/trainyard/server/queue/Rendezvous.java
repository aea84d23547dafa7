package dev.trainyard.server.queue;

import dev.trainyard.model.JobSpec;
import dev.trainyard.model.RoleSpec;
import dev.trainyard.server.job.Task;
import dev.trainyard.server.job.TaskPorts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Settings with which the tasks of distributed frameworks find each other, for jobs with more than
 * one task: ranks and the master for PyTorch, {@code TF_CONFIG} for TensorFlow, a hostfile for MPI.
 * Each task is one rank; ranks are ordered by role as in the job file, then by index.
 */
final class Rendezvous {
  static final String HOSTFILE = "runtime.d/hostfile";
  private static final String TENSORFLOW_FILE = "runtime.d/tf_config.json";

  private static final String EVALUATOR = "evaluator";
  private static final Set<String> TENSORFLOW_ROLES =
      Set.of("chief", "master", "worker", "ps", EVALUATOR);

  private final JobSpec spec;
  private final List<Task> tasks;
  private final PeerTable table;
  private final Map<String, String> hosts;
  private final Map<String, Integer> firstRanks = new HashMap<>();
  private final String tensorFlowCluster;

  /**
   * @param tasks all tasks of the attempt, in the order of their ranks
   * @param hosts addresses by the host names that the tasks use
   */
  Rendezvous(JobSpec spec, List<Task> tasks, PeerTable table, Map<String, String> hosts) {
    this.spec = spec;
    this.tasks = tasks;
    this.table = table;
    this.hosts = hosts;
    int rank = 0;
    for (RoleSpec role : spec.roles()) {
      firstRanks.put(role.name(), rank);
      rank += role.taskCount();
    }
    this.tensorFlowCluster = isTensorFlow() ? tensorFlowCluster() : "";
  }

  /**
   * Returns whether a task needs a port for the rendezvous: only the first task of a gang needs
   * one.
   */
  static boolean isMaster(JobSpec spec, String role, int index) {
    return spec.extras().gangAllocation()
        && spec.taskCount() > 1
        && index == 0
        && spec.roles().getFirst().name().equals(role);
  }

  private boolean isNeeded() {
    return spec.taskCount() > 1;
  }

  private boolean isTensorFlow() {
    return isNeeded()
        && spec.roles().stream().map(RoleSpec::name).allMatch(TENSORFLOW_ROLES::contains)
        && spec.roles().stream().anyMatch(role -> !role.name().equals(EVALUATOR));
  }

  /**
   * Returns the TensorFlow cluster as JSON. Evaluators are not part of the cluster, because the
   * other tasks do not wait for them.
   */
  private String tensorFlowCluster() {
    Map<String, List<String>> members = new LinkedHashMap<>();
    for (Task task : tasks) {
      if (!task.id().role().equals(EVALUATOR)) {
        members
            .computeIfAbsent(task.id().role(), _ -> new ArrayList<>())
            .add("\"" + table.address(task) + ":" + PeerTable.httpPort(task) + "\"");
      }
    }
    return members.entrySet().stream()
        .map(role -> "\"" + role.getKey() + "\":[" + String.join(",", role.getValue()) + "]")
        .collect(Collectors.joining(",", "{", "}"));
  }

  void addTo(Map<String, String> variables, Task task) {
    if (!isNeeded()) {
      return;
    }
    Task master = tasks.getFirst();
    String rank = String.valueOf(firstRanks.get(task.id().role()) + task.id().index());
    variables.put("WORLD_SIZE", String.valueOf(spec.taskCount()));
    variables.put("RANK", rank);
    variables.put("NODE_RANK", rank);
    variables.put("MASTER_ADDR", table.address(master));
    // A job that was placed by an earlier release has no port for the rendezvous and uses the HTTP
    // port.
    String port = master.ports().first(TaskPorts.MASTER);
    variables.put("MASTER_PORT", port.isEmpty() ? PeerTable.httpPort(master) : port);
    variables.put("MPI_HOSTFILE", "/usr/local/pai/" + HOSTFILE);
    if (!tensorFlowCluster.isEmpty() && PeerTable.fitsVariables(spec)) {
      variables.put("TF_CONFIG", tensorFlowConfig(task));
    }
  }

  private String tensorFlowConfig(Task task) {
    return "{\"cluster\":%s,\"task\":{\"type\":\"%s\",\"index\":%d}}"
        .formatted(tensorFlowCluster, task.id().role(), task.id().index());
  }

  /** Returns the files, which are the same for all tasks. */
  Map<String, String> files() {
    if (!isNeeded()) {
      return Map.of();
    }
    Map<String, String> files = new HashMap<>();
    files.put(HOSTFILE, hostfile());
    if (!tensorFlowCluster.isEmpty() && !PeerTable.fitsVariables(spec)) {
      files.put(TENSORFLOW_FILE, "{\"cluster\":" + tensorFlowCluster + "}");
    }
    return files;
  }

  /**
   * Returns the MPI hostfile. It contains names instead of addresses, so that ssh applies the
   * settings of the respective task.
   */
  private String hostfile() {
    Map<String, Integer> devicesByRole = new HashMap<>();
    spec.roles().forEach(role -> devicesByRole.put(role.name(), role.resources().devices()));
    StringBuilder text = new StringBuilder();
    for (Task task : tasks) {
      String exact = HostNames.exact(task.id());
      String name = hosts.containsKey(exact) ? exact : HostNames.of(task.id());
      int devices = devicesByRole.get(task.id().role());
      text.append(name).append(" slots=").append(Math.max(1, devices)).append('\n');
    }
    return text.toString();
  }
}
