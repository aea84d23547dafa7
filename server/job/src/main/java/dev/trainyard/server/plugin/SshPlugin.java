package dev.trainyard.server.plugin;

import dev.trainyard.model.JobSpec;
import dev.trainyard.model.RuntimePlugin;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The plugin that gives users and the other tasks of a job ssh access to a task; see {@code
 * ssh.sh}.
 */
final class SshPlugin {
  private static final int DEFAULT_BARRIER_MINUTES = 30;
  private static final int MAX_BARRIER_MINUTES = 7 * 24 * 60;
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,6}");

  private SshPlugin() {}

  static PluginStep of(RuntimePlugin plugin, JobSpec spec) {
    Map<String, Object> parameters = plugin.parameters();
    boolean jobSsh = connectsTasks(plugin, spec);
    String keys = keys(parameters.get("userssh"));
    if (!jobSsh && keys.isEmpty()) {
      return PluginStep.EMPTY;
    }
    boolean barrier = jobSsh && isTrue(parameters.get("sshbarrier"));
    boolean alone = keys.isEmpty() && spec.taskCount() == 1;
    String variables =
        """
        jobssh=%s
        keys=%s
        barrier=%d
        alone=%s
        """
            .formatted(
                jobSsh,
                ShellText.quoted(keys),
                barrier ? minutes(parameters.get("sshbarrierTimeout")) : 0,
                alone);
    // The exit codes of the script are from OpenPAI's table: 249 for the barrier, 255 for all other
    // failures.
    return new PluginStep(variables + Scripts.load("ssh.sh"), 0);
  }

  /**
   * Returns whether the plugin connects the tasks with each other. Without gang scheduling, tasks
   * do not know each other's addresses and are not connected.
   */
  static boolean connectsTasks(RuntimePlugin plugin, JobSpec spec) {
    return plugin.name().equals("ssh")
        && spec.extras().gangAllocation()
        && isTrue(plugin.parameters().get("jobssh"));
  }

  /**
   * Returns whether any plugin starts an ssh server in the tasks of a role. The server needs a key.
   */
  static boolean startsServer(JobSpec spec, String role) {
    return sshPlugins(spec, role).stream().anyMatch(plugin -> !of(plugin, spec).isEmpty());
  }

  /** Returns whether the job's other tasks can connect to the tasks of this role. */
  static boolean isReachableByTasks(JobSpec spec, String role) {
    return sshPlugins(spec, role).stream().anyMatch(plugin -> connectsTasks(plugin, spec));
  }

  private static List<RuntimePlugin> sshPlugins(JobSpec spec, String role) {
    return spec.extras().plugins().stream()
        .filter(plugin -> plugin.name().equals("ssh") && plugin.appliesTo(role))
        .toList();
  }

  private static String keys(Object userSsh) {
    if (!(userSsh instanceof Map<?, ?> fields)
        || !(fields.get("value") instanceof String value)
        || !(fields.get("type") instanceof String type)
        || !List.of("custom", "system").contains(type)) {
      return "";
    }
    // Like OpenPAI, accepts a backslash followed by n as a line end.
    return value.replace("\\n", "\n").strip();
  }

  private static int minutes(Object timeout) {
    String text = String.valueOf(timeout).strip();
    return NUMBER.matcher(text).matches()
        ? Math.clamp(Integer.parseInt(text), 1, MAX_BARRIER_MINUTES)
        : DEFAULT_BARRIER_MINUTES;
  }

  private static boolean isTrue(Object value) {
    return String.valueOf(value).strip().equalsIgnoreCase("true");
  }
}
