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
 * What the tasks of an attempt are told of each other's addresses and ports, once all have them:
 * the variables of OpenPAI, what frameworks need to find each other, and names for {@code
 * /etc/hosts}. A job of very many tasks finds the same in files instead, because a program can't be
 * given any amount of variables. Tasks that start one by one are told nothing of the others.
 */
final class Peers {
  static final String FILE = "runtime.d/peers.tsv";
  static final String SCRIPT = "runtime.d/peers.sh";

  /**
   * Sets the variables that would be too many, without handing them on to programs. What a shell
   * can't have as a name is left out.
   */
  private static final String SCRIPT_TEXT =
      """
      # Source this to have OpenPAI's variables about the other tasks in a shell. They are not exported:
      # together they are more than a program can be given.
      eval "$(awk -F '\\t' '
        function put(name, value) {
          if (name ~ /^[A-Za-z_][A-Za-z0-9_]*$/) printf "%s=\\047%s\\047\\n", name, value
        }
        function tell(role,    i, at, label, ports, http) {
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
          tell($1)
          normal = tolower($1)
          gsub(/[^a-z0-9]/, "", normal)
          if (normal != "" && !(normal in exact)) {
            if (!(normal in owner)) owner[normal] = $1
            if (owner[normal] == $1) tell(normal)
          }
          all = all (FNR > 1 ? "," : "") $1 ":" $2
        }
        END {
          for (role in lists) put("PAI_TASK_ROLE_" role "_HOST_LIST", lists[role])
          put("PAI_TASK_ROLE_INSTANCES", all)
        }' /usr/local/pai/runtime.d/peers.tsv /usr/local/pai/runtime.d/peers.tsv)"
      """;

  private static final int LONGEST_INSTANCES = 96 * 1024;

  private final JobSpec spec;
  private final PeerTable table;
  private final boolean alone;
  private final Map<String, String> hosts;
  private final Map<String, String> variables = new LinkedHashMap<>();
  private final Map<String, String> files = new HashMap<>();
  private final Rendezvous rendezvous;

  /**
   * @param tasks all of the attempt, in any order; of a job without a gang only those to start
   */
  Peers(JobSpec spec, List<Task> tasks, Map<TaskId, String> addresses) {
    this.spec = spec;
    this.alone = !spec.extras().gangAllocation();
    List<Task> ordered = PeerTable.ordered(spec, tasks);
    this.table = new PeerTable(spec, ordered, addresses);
    this.hosts = alone ? Map.of() : hosts(ordered);
    this.rendezvous = new Rendezvous(spec, ordered, table, hosts);
    boolean fits = PeerTable.fitsVariables(spec);
    String instances = instances();
    if (fits || (alone && instances.length() <= LONGEST_INSTANCES)) {
      variables.put("PAI_TASK_ROLE_INSTANCES", instances);
    }
    if (!alone) {
      if (fits) {
        variables.putAll(table.variables());
      } else {
        files.put(FILE, table.text());
        files.put(SCRIPT, SCRIPT_TEXT);
      }
      files.putAll(rendezvous.files());
    }
  }

  /** What the owner of a job should know. */
  static List<Message> notices(JobSpec spec) {
    boolean file = spec.extras().gangAllocation() && !PeerTable.fitsVariables(spec);
    return file
        ? List.of(Message.of("notice.peers-file", "file", FILE).with("script", SCRIPT))
        : List.of();
  }

  private String instances() {
    StringBuilder instances = new StringBuilder();
    for (RoleSpec role : spec.roles()) {
      for (int index = 0; index < role.taskCount(); index++) {
        instances.append(instances.isEmpty() ? "" : ",");
        instances.append(role.name()).append(':').append(index);
      }
    }
    return instances.toString();
  }

  /**
   * As it is written first: where two roles become the same host name, the one so called has it.
   */
  private Map<String, String> hosts(List<Task> tasks) {
    Map<String, String> names = new HashMap<>();
    for (Task task : tasks) {
      String exact = HostNames.exact(task.id());
      if (HostNames.isLegal(exact)) {
        names.put(exact, table.address(task));
      }
    }
    for (Task task : tasks) {
      names.putIfAbsent(HostNames.of(task.id()), table.address(task));
    }
    // Every task gets this very map: a copy each would make a large job quadratic.
    return Map.copyOf(names);
  }

  /** What one of them starts with. */
  TaskStart start(Task task) {
    Map<String, String> all = new HashMap<>(variables);
    if (alone) {
      table.describe(task, all);
    } else {
      rendezvous.addTo(all, task);
    }
    String address = table.address(task);
    String http = PeerTable.http(task);
    all.put("PAI_CURRENT_CONTAINER_IP", address);
    all.put("PAI_CURRENT_CONTAINER_PORT", http);
    all.put("PAI_CONTAINER_HOST_IP", address);
    all.put("PAI_CONTAINER_HOST_PORT", http);
    all.put("PAI_CONTAINER_SSH_PORT", task.ports().first(TaskPorts.SSH));
    StringBuilder list = new StringBuilder();
    for (String label : table.told(task)) {
      all.put("PAI_CONTAINER_HOST_" + label + "_PORT_LIST", task.ports().list(label));
      list.append(label).append(':').append(task.ports().list(label)).append(';');
    }
    all.put("PAI_CONTAINER_HOST_PORT_LIST", list.toString());
    // What the file says itself wins.
    all.keySet().removeAll(spec.environment().keySet());
    return new TaskStart(all, hosts, files);
  }
}
