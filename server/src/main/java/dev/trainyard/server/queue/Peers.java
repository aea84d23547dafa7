package dev.trainyard.server.queue;

import dev.trainyard.engine.TaskStart;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import dev.trainyard.model.PortRequest;
import dev.trainyard.model.RoleSpec;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.job.Task;
import dev.trainyard.server.job.TaskPorts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What the tasks of an attempt are told of each other's addresses and ports, once all have them:
 * the variables of OpenPAI, and names for {@code /etc/hosts}. A job of very many tasks finds the
 * same in a file instead, because a program can't be given any amount of variables.
 */
final class Peers {
  static final String FILE = "runtime.d/peers.tsv";

  private static final int MOST_TASKS = 1_000;
  private static final int MOST_BYTES = 96 * 1024;

  private final JobSpec spec;
  private final Map<TaskId, String> addresses;
  private final Map<String, String> hosts;
  private final Map<String, String> variables = new LinkedHashMap<>();
  private final Map<String, String> files;

  /**
   * @param tasks all of the attempt, in any order
   */
  Peers(JobSpec spec, List<Task> tasks, Map<TaskId, String> addresses) {
    this.spec = spec;
    this.addresses = addresses;
    List<Task> ordered = ordered(spec, tasks);
    this.hosts = hosts(ordered);
    if (fitsVariables(spec)) {
      describe(ordered);
      this.files = Map.of();
    } else {
      this.files = Map.of(FILE, table(ordered));
    }
  }

  /** What the owner of a job should know. */
  static List<Message> notices(JobSpec spec) {
    return fitsVariables(spec) ? List.of() : List.of(Message.of("notice.peers-file", "file", FILE));
  }

  /** Decided by the job file alone, so that it can be said when the job is submitted. */
  private static boolean fitsVariables(JobSpec spec) {
    if (spec.taskCount() > MOST_TASKS) {
      return false;
    }
    long bytes = 0;
    for (RoleSpec role : spec.roles()) {
      long name = (long) role.name().length() + "PAI_HOST_IP__0000=255.255.255.255 ".length();
      long ofOne = name + "255.255.255.255:65535,role:0000,".length() + role.name().length();
      for (String label : labels(role)) {
        long ports = 6L * count(role, label);
        ofOne += 2 * (name + label.length() + "PORT_LIST".length() + ports);
      }
      bytes += ofOne * role.taskCount() * (normalised(role.name()).equals(role.name()) ? 1 : 2);
    }
    return bytes <= MOST_BYTES;
  }

  private static List<String> labels(RoleSpec role) {
    List<String> labels = new ArrayList<>(role.ports().stream().map(PortRequest::label).toList());
    for (String label : List.of(TaskPorts.SSH, TaskPorts.HTTP)) {
      if (!labels.contains(label)) {
        labels.add(label);
      }
    }
    return labels;
  }

  private static int count(RoleSpec role, String label) {
    return role.ports().stream()
        .filter(request -> request.label().equals(label))
        .mapToInt(PortRequest::count)
        .findFirst()
        .orElse(1);
  }

  /** By role as in the file, then by index. */
  private static List<Task> ordered(JobSpec spec, List<Task> tasks) {
    Map<String, List<Task>> byRole = new HashMap<>();
    for (Task task : tasks) {
      byRole.computeIfAbsent(task.id().role(), _ -> new ArrayList<>()).add(task);
    }
    List<Task> ordered = new ArrayList<>();
    for (RoleSpec role : spec.roles()) {
      List<Task> ofRole = byRole.getOrDefault(role.name(), new ArrayList<>());
      ofRole.sort((one, other) -> Integer.compare(one.id().index(), other.id().index()));
      ordered.addAll(ofRole);
    }
    return ordered;
  }

  /**
   * As it is written first: where two roles become the same host name, the one so called has it.
   */
  private Map<String, String> hosts(List<Task> tasks) {
    Map<String, String> names = new LinkedHashMap<>();
    for (Task task : tasks) {
      String exact = task.id().role() + "-" + task.id().index();
      if (HostNames.isLegal(exact)) {
        names.put(exact, address(task));
      }
    }
    for (Task task : tasks) {
      names.putIfAbsent(HostNames.of(task.id()), address(task));
    }
    return Collections.unmodifiableMap(names);
  }

  private String address(Task task) {
    return addresses.getOrDefault(task.id(), task.address().orElse(""));
  }

  private void describe(List<Task> tasks) {
    Map<String, StringBuilder> lists = new LinkedHashMap<>();
    StringBuilder instances = new StringBuilder();
    for (Task task : tasks) {
      for (String role : spellings(task.id().role())) {
        String name = role + "_" + task.id().index();
        variables.put("PAI_HOST_IP_" + name, address(task));
        for (String label : task.ports().byLabel().keySet()) {
          String ports = task.ports().list(label);
          variables.put("PAI_PORT_LIST_" + name + "_" + label, ports);
          variables.put("PAI_" + name + "_" + label + "_PORT", ports);
        }
        append(lists.computeIfAbsent(role, _ -> new StringBuilder()), address(task))
            .append(':')
            .append(http(task));
      }
      append(instances, task.id().role()).append(':').append(task.id().index());
    }
    lists.forEach(
        (role, list) -> variables.put("PAI_TASK_ROLE_" + role + "_HOST_LIST", list.toString()));
    variables.put("PAI_TASK_ROLE_INSTANCES", instances.toString());
  }

  private static StringBuilder append(StringBuilder list, String text) {
    return list.append(list.isEmpty() ? "" : ",").append(text);
  }

  /** As written and, where a shell could not use that, as OpenPAI writes it into its scripts. */
  private static List<String> spellings(String role) {
    String normalised = normalised(role);
    return normalised.equals(role) || normalised.isEmpty()
        ? List.of(role)
        : List.of(role, normalised);
  }

  private static String normalised(String role) {
    return role.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
  }

  /** Where a user asked for several of this label, the first. */
  private static String http(Task task) {
    List<Integer> ports = task.ports().byLabel().getOrDefault(TaskPorts.HTTP, List.of());
    return ports.isEmpty() ? "" : String.valueOf(ports.getFirst());
  }

  /** A line per task: role, index, address, ports. */
  private String table(List<Task> tasks) {
    StringBuilder table = new StringBuilder();
    for (Task task : tasks) {
      table
          .append(task.id().role())
          .append('\t')
          .append(task.id().index())
          .append('\t')
          .append(address(task));
      task.ports()
          .byLabel()
          .keySet()
          .forEach(
              label ->
                  table.append('\t').append(label).append('=').append(task.ports().list(label)));
      table.append('\n');
    }
    return table.toString();
  }

  /** What one of them starts with. */
  TaskStart start(Task task) {
    Map<String, String> all = new HashMap<>(variables);
    all.put("PAI_CURRENT_CONTAINER_IP", address(task));
    all.put("PAI_CURRENT_CONTAINER_PORT", http(task));
    all.put("PAI_CONTAINER_HOST_IP", address(task));
    all.put("PAI_CONTAINER_HOST_PORT", http(task));
    all.put("PAI_CONTAINER_SSH_PORT", task.ports().list(TaskPorts.SSH));
    StringBuilder list = new StringBuilder();
    for (String label : task.ports().byLabel().keySet()) {
      all.put("PAI_CONTAINER_HOST_" + label + "_PORT_LIST", task.ports().list(label));
      list.append(label).append(':').append(task.ports().list(label)).append(';');
    }
    all.put("PAI_CONTAINER_HOST_PORT_LIST", list.toString());
    // What the file says itself wins.
    all.keySet().removeAll(spec.environment().keySet());
    return new TaskStart(all, hosts, files);
  }
}
