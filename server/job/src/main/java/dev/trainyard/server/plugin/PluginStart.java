package dev.trainyard.server.plugin;

import dev.trainyard.engine.SecretFiles;
import dev.trainyard.engine.TaskStart;
import dev.trainyard.model.JobId;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.RoleSpec;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.job.Task;
import dev.trainyard.server.job.TaskPorts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Adds the files of plugins that are known only when tasks start or that must not be stored:
 * scripts that contain secrets, the job's ssh key, and the addresses of the job's tasks. Each
 * instance belongs to one attempt. Thread-safe.
 */
public final class PluginStart {
  private final JobId job;
  private final JobSpec spec;
  private final List<Task> allTasks;
  private final JobKeys keys;
  private final UnaryOperator<String> resolveSecrets;
  private final Map<String, RoleSpec> roles = new HashMap<>();
  private String sshConfig = "";

  /**
   * @param allTasks all tasks of the attempt
   * @param resolveSecrets replaces references to the job's secrets with their values
   */
  public PluginStart(
      JobId job,
      JobSpec spec,
      List<Task> allTasks,
      JobKeys keys,
      UnaryOperator<String> resolveSecrets) {
    this.job = job;
    this.spec = spec;
    this.allTasks = List.copyOf(allTasks);
    this.keys = keys;
    this.resolveSecrets = resolveSecrets;
    spec.roles().forEach(role -> roles.put(role.name(), role));
  }

  /**
   * Returns the start parameters with the files of the plugins added.
   *
   * @param addresses addresses of the tasks that are being started; the other tasks in {@code
   *     allTasks} already contain their addresses
   */
  public TaskStart complete(Task task, TaskStart start, Map<TaskId, String> addresses) {
    if (spec.extras().plugins().isEmpty()) {
      return start;
    }
    RoleSpec role = roles.get(task.id().role());
    Map<String, String> files = new HashMap<>(start.files());
    Map<String, String> secrets = new LinkedHashMap<>(start.secrets().contents());
    secrets.putAll(PluginScripts.of(spec, role, resolveSecrets).secrets());
    if (SshPlugin.startsServer(spec, role.name())) {
      JobKey key = keys.of(job);
      secrets.put("ssh_key", key.privateFile());
      files.put("runtime.d/ssh_key.pub", key.publicLine() + "\n");
      if (SshPlugin.isReachableByTasks(spec, role.name())) {
        files.put("runtime.d/ssh_config", sshConfig(start.hosts(), addresses));
      }
    }
    return new TaskStart(start.environment(), start.hosts(), files, new SecretFiles(secrets));
  }

  /**
   * Returns the ssh configuration, which is the same for all tasks. It is built only once, because
   * it is long if the job has many tasks.
   */
  private synchronized String sshConfig(Map<String, String> hosts, Map<TaskId, String> addresses) {
    if (sshConfig.isEmpty()) {
      List<SshPeers.Peer> peers = new ArrayList<>();
      for (Task task : allTasks) {
        String address = addresses.getOrDefault(task.id(), task.address().orElse(""));
        List<Integer> ports = task.ports().byLabel().getOrDefault(TaskPorts.SSH, List.of());
        if (!address.isEmpty()
            && !ports.isEmpty()
            && SshPlugin.isReachableByTasks(spec, task.id().role())) {
          String name = task.id().role() + "-" + task.id().index();
          peers.add(new SshPeers.Peer(name, address, String.valueOf(ports.getFirst())));
        }
      }
      sshConfig = SshPeers.config(peers, hosts);
    }
    return sshConfig;
  }
}
