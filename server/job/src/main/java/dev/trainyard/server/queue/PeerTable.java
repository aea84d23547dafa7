package dev.trainyard.server.queue;

import dev.trainyard.model.JobSpec;
import dev.trainyard.model.PortRequest;
import dev.trainyard.model.RoleSpec;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.job.Task;
import dev.trainyard.server.job.TaskPorts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Addresses and ports of tasks, as OpenPAI's variables and as a file. */
final class PeerTable {
  private static final int MAX_TASKS = 1_000;
  private static final int MAX_BYTES = 96 * 1024;

  private final List<Task> tasks;
  private final Map<TaskId, String> addresses;
  private final Map<String, List<String>> spellings;

  /** Roles that declare a port with the label that {@link Rendezvous} uses. */
  private final Set<String> rolesWithMasterPort;

  /**
   * @param tasks the tasks in the order of the table
   */
  PeerTable(JobSpec spec, List<Task> tasks, Map<TaskId, String> addresses) {
    this.tasks = tasks;
    this.addresses = addresses;
    this.spellings = spellings(spec);
    this.rolesWithMasterPort =
        spec.roles().stream()
            .filter(role -> role.ports().stream().anyMatch(PeerTable::isMaster))
            .map(RoleSpec::name)
            .collect(Collectors.toSet());
  }

  /**
   * Returns whether the variables of all peers fit into the environment. Depends only on the job
   * file, so that the result can be reported when the job is submitted.
   */
  static boolean fitsVariables(JobSpec spec) {
    if (spec.taskCount() > MAX_TASKS) {
      return false;
    }
    Map<String, List<String>> spellings = spellings(spec);
    long bytes = 0;
    for (RoleSpec role : spec.roles()) {
      long nameBytes = (long) role.name().length() + "PAI_HOST_IP__0000=255.255.255.255 ".length();
      long bytesPerTask =
          nameBytes + "255.255.255.255:65535,role:0000,".length() + role.name().length();
      for (var label : counts(role).entrySet()) {
        long ports = 6L * label.getValue();
        bytesPerTask += 2 * (nameBytes + label.getKey().length() + "PORT_LIST".length() + ports);
      }
      bytes += bytesPerTask * role.taskCount() * spellings.get(role.name()).size();
    }
    return bytes <= MAX_BYTES;
  }

  private static boolean isMaster(PortRequest request) {
    return request.label().equals(TaskPorts.MASTER);
  }

  /** Returns the labels of a role with their number of ports. */
  private static Map<String, Integer> counts(RoleSpec role) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    role.ports().forEach(request -> counts.putIfAbsent(request.label(), request.count()));
    counts.putIfAbsent(TaskPorts.SSH, 1);
    counts.putIfAbsent(TaskPorts.HTTP, 1);
    return counts;
  }

  /** Sorts tasks by role, in the order of the job file, and then by index. */
  static List<Task> ordered(JobSpec spec, List<Task> tasks) {
    Map<String, List<Task>> byRole = new HashMap<>();
    for (Task task : tasks) {
      byRole.computeIfAbsent(task.id().role(), _ -> new ArrayList<>()).add(task);
    }
    List<Task> ordered = new ArrayList<>();
    for (RoleSpec role : spec.roles()) {
      List<Task> roleTasks = byRole.getOrDefault(role.name(), new ArrayList<>());
      roleTasks.sort((first, second) -> Integer.compare(first.id().index(), second.id().index()));
      ordered.addAll(roleTasks);
    }
    return ordered;
  }

  String address(Task task) {
    return addresses.getOrDefault(task.id(), task.address().orElse(""));
  }

  /** Returns the first HTTP port; a user may have requested several with this label. */
  static String httpPort(Task task) {
    return task.ports().first(TaskPorts.HTTP);
  }

  /**
   * Returns the port labels that OpenPAI publishes: all except a label that only {@link Rendezvous}
   * needs.
   */
  List<String> publishedLabels(Task task) {
    boolean declaresMaster = rolesWithMasterPort.contains(task.id().role());
    return task.ports().byLabel().keySet().stream()
        .filter(label -> declaresMaster || !label.equals(TaskPorts.MASTER))
        .toList();
  }

  /** Adds the variables that describe one task. */
  void describe(Task task, Map<String, String> variables) {
    for (String role : spellings.get(task.id().role())) {
      String name = role + "_" + task.id().index();
      variables.put("PAI_HOST_IP_" + name, address(task));
      for (String label : publishedLabels(task)) {
        String ports = task.ports().list(label);
        variables.put("PAI_PORT_LIST_" + name + "_" + label, ports);
        variables.put("PAI_" + name + "_" + label + "_PORT", ports);
      }
    }
  }

  Map<String, String> variables() {
    Map<String, String> variables = new LinkedHashMap<>();
    Map<String, StringBuilder> lists = new LinkedHashMap<>();
    for (Task task : tasks) {
      describe(task, variables);
      for (String role : spellings.get(task.id().role())) {
        StringBuilder list = lists.computeIfAbsent(role, _ -> new StringBuilder());
        list.append(list.isEmpty() ? "" : ",")
            .append(address(task))
            .append(':')
            .append(httpPort(task));
      }
    }
    lists.forEach(
        (role, list) -> variables.put("PAI_TASK_ROLE_" + role + "_HOST_LIST", list.toString()));
    return variables;
  }

  /**
   * Returns the spellings of each role name: the name as written and, if it differs, the normalized
   * form that OpenPAI's scripts use. Two roles never share a spelling: a normalized form belongs to
   * the role with exactly this name or, if there is no such role, to the first role whose name has
   * this normalized form.
   */
  static Map<String, List<String>> spellings(JobSpec spec) {
    Set<String> usedNames =
        spec.roles().stream().map(RoleSpec::name).collect(Collectors.toCollection(HashSet::new));
    usedNames.add("");
    Map<String, List<String>> spellings = new HashMap<>();
    for (RoleSpec role : spec.roles()) {
      String name = role.name();
      String normalized = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
      spellings.put(name, usedNames.add(normalized) ? List.of(name, normalized) : List.of(name));
    }
    return spellings;
  }

  /** Returns the table as text, one line per task: role, index, address, ports. */
  String text() {
    StringBuilder text = new StringBuilder();
    for (Task task : tasks) {
      text.append(task.id().role()).append('\t').append(task.id().index());
      text.append('\t').append(address(task));
      for (String label : publishedLabels(task)) {
        text.append('\t').append(label).append('=').append(task.ports().list(label));
      }
      text.append('\n');
    }
    return text.toString();
  }
}
