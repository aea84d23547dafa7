package dev.trainyard.server.queue;

import dev.trainyard.engine.TaskStart;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import dev.trainyard.model.RoleSpec;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.job.Task;
import dev.trainyard.server.job.TaskPorts;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Information about addresses and ports of the other tasks of an attempt, available once all tasks
 * have addresses: OpenPAI's variables, the settings with which the tasks of a framework find each
 * other, and names for {@code /etc/hosts}. A job with very many tasks gets the same data in files
 * instead, because the size of a program's environment is limited. Tasks of a job without gang
 * scheduling receive no addresses or ports of other tasks.
 */
final class Peers {
  static final String FILE = "runtime.d/peers.tsv";
  static final String SCRIPT = "runtime.d/peers.sh";

  /**
   * Shell script that sets the variables that do not fit into the environment, without exporting
   * them to programs. Skips variable names that are invalid in a shell.
   */
  private static final String SCRIPT_TEXT =
      """
      # Source this to set OpenPAI's variables about the other tasks in a shell. They are not
      # exported, because together they exceed the size limit of a program's environment.
      eval "$(awk -F '\\t' '
        function put(name, value) {
          if (name ~ /^[A-Za-z_][A-Za-z0-9_]*$/) printf "%s=\\047%s\\047\\n", name, value
        }
        function describe(role,    i, at, label, ports, http) {
          put("PAI_HOST_IP_" role "_" $2, $3)
          for (i = 4; i <= NF; i++) {
            at = index($i, "=")
            label = substr($i, 1, at - 1)
            ports = substr($i, at + 1)
            put("PAI_PORT_LIST_" role "_" $2 "_" label, ports)
            put("PAI_" role "_" $2 "_" label "_PORT", ports)
            if (label == "http") { http = ports; sub(/,.*/, "", http) }
          }
          lists[role] = lists[role] (role in lists && lists[role] != "" ? "," : "") $3 ":" http
        }
        NR == FNR { exact[$1] = 1; next }
        {
          describe($1)
          normal = tolower($1)
          gsub(/[^a-z0-9]/, "", normal)
          name = $1
          if (normal != "" && !(normal in exact)) {
            if (!(normal in owner)) owner[normal] = $1
            if (owner[normal] == $1) { describe(normal); name = normal }
          }
          all = all (FNR > 1 ? "," : "") name ":" $2
        }
        END {
          for (role in lists) put("PAI_TASK_ROLE_" role "_HOST_LIST", lists[role])
          put("PAI_TASK_ROLE_INSTANCES", all)
        }' /usr/local/pai/runtime.d/peers.tsv /usr/local/pai/runtime.d/peers.tsv)"
      """;

  private static final int MAX_INSTANCES_LENGTH = 96 * 1024;

  private final JobSpec spec;
  private final PeerTable table;
  private final boolean startsIndividually;
  private final Map<String, String> hosts;
  private final Map<String, String> variables = new LinkedHashMap<>();
  private final Map<String, String> files = new HashMap<>();
  private final Rendezvous rendezvous;

  /**
   * @param tasks all tasks of the attempt, in any order; for a job without gang scheduling only the
   *     tasks to start
   */
  Peers(JobSpec spec, List<Task> tasks, Map<TaskId, String> addresses) {
    this.spec = spec;
    this.startsIndividually = !spec.extras().gangAllocation();
    List<Task> ordered = PeerTable.ordered(spec, tasks);
    this.table = new PeerTable(spec, ordered, addresses);
    this.hosts = startsIndividually ? Map.of() : hosts(ordered);
    this.rendezvous = new Rendezvous(spec, ordered, table, hosts);
    boolean fitsEnvironment = PeerTable.fitsVariables(spec);
    String instances = instances();
    if (fitsEnvironment || (startsIndividually && instances.length() <= MAX_INSTANCES_LENGTH)) {
      variables.put("PAI_TASK_ROLE_INSTANCES", instances);
    }
    if (!startsIndividually) {
      if (fitsEnvironment) {
        variables.putAll(table.variables());
      } else {
        files.put(FILE, table.text());
        files.put(SCRIPT, SCRIPT_TEXT);
      }
      files.putAll(rendezvous.files());
    }
  }

  /** Returns notices for the owner of the job. */
  static List<Message> notices(JobSpec spec) {
    boolean needsFile = spec.extras().gangAllocation() && !PeerTable.fitsVariables(spec);
    return needsFile
        ? List.of(Message.of("notice.peers-file", "file", FILE).with("script", SCRIPT))
        : List.of();
  }

  /**
   * Returns the role names and indices of all tasks. The role names are normalized, as in OpenPAI.
   */
  private String instances() {
    Map<String, List<String>> spellings = PeerTable.spellings(spec);
    StringBuilder instances = new StringBuilder();
    for (RoleSpec role : spec.roles()) {
      String name = spellings.get(role.name()).getLast();
      for (int index = 0; index < role.taskCount(); index++) {
        instances.append(instances.isEmpty() ? "" : ",");
        instances.append(name).append(':').append(index);
      }
    }
    return instances.toString();
  }

  /**
   * Returns the addresses by host name. Exact names take precedence: if two tasks lead to the same
   * host name, the name refers to the task whose exact name it is.
   */
  private Map<String, String> hosts(List<Task> tasks) {
    Map<String, String> names = new HashMap<>();
    for (Task task : tasks) {
      String exact = HostNames.exact(task.id());
      if (HostNames.isValid(exact)) {
        names.put(exact, table.address(task));
      }
    }
    for (Task task : tasks) {
      names.putIfAbsent(HostNames.of(task.id()), table.address(task));
    }
    // All tasks share this map, because a copy per task would take quadratic memory in a large job.
    return Map.copyOf(names);
  }

  /** Returns the start parameters of a task. */
  TaskStart start(Task task) {
    Map<String, String> environment = new HashMap<>(variables);
    if (startsIndividually) {
      table.describe(task, environment);
    } else {
      rendezvous.addTo(environment, task);
    }
    String address = table.address(task);
    String http = PeerTable.httpPort(task);
    environment.put("PAI_CURRENT_CONTAINER_IP", address);
    environment.put("PAI_CURRENT_CONTAINER_PORT", http);
    environment.put("PAI_CONTAINER_HOST_IP", address);
    environment.put("PAI_CONTAINER_HOST_PORT", http);
    environment.put("PAI_CONTAINER_SSH_PORT", task.ports().first(TaskPorts.SSH));
    StringBuilder list = new StringBuilder();
    for (String label : table.publishedLabels(task)) {
      environment.put("PAI_CONTAINER_HOST_" + label + "_PORT_LIST", task.ports().list(label));
      list.append(label).append(':').append(task.ports().list(label)).append(';');
    }
    environment.put("PAI_CONTAINER_HOST_PORT_LIST", list.toString());
    // Variables of the job file take precedence.
    environment.keySet().removeAll(spec.environment().keySet());
    return new TaskStart(environment, hosts, files);
  }
}
