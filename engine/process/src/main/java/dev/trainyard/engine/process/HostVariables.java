package dev.trainyard.engine.process;

import dev.trainyard.engine.TaskSpec;
import java.util.HashMap;
import java.util.Map;

/**
 * The environment variables that an image would define for its container. With this engine the host
 * takes the role of the image and defines none, so these are the defaults; the task's own variables
 * override them.
 */
final class HostVariables {
  private static final String PATH =
      "/usr/local/nvidia/bin:/usr/local/cuda/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:"
          + "/usr/bin:/sbin:/bin";

  private HostVariables() {}

  static Map<String, String> of(TaskSpec spec) {
    Map<String, String> variables = new HashMap<>();
    variables.put("HOME", Sandbox.initialDirectory(spec));
    variables.put("USER", "root");
    variables.put("LOGNAME", "root");
    variables.put("LANG", "C.UTF-8");
    variables.put("PATH", PATH);
    variables.put("PAI_WORK_DIR", Sandbox.initialDirectory(spec));
    variables.putAll(spec.environment());
    return variables;
  }
}
