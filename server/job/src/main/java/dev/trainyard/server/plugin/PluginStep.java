package dev.trainyard.server.plugin;

/**
 * A script that a plugin runs in a task.
 *
 * @param text a shell script, run in a separate shell; empty if nothing is run
 * @param code exit code of the task if the script fails; if 0, the task gets the exit code of the
 *     script
 */
record PluginStep(String text, int code) {
  /** OpenPAI's exit code for a runtime failure without a specific code. */
  static final int RUNTIME_FAILED = 255;

  static final PluginStep EMPTY = new PluginStep("", 0);

  /**
   * Creates a step of commands that the user wrote. If they fail, their exit code becomes the exit
   * code of the task, as for the task's command.
   */
  static PluginStep ofUser(String text) {
    return new PluginStep(text, 0);
  }

  /** Creates a step that the platform provides. */
  static PluginStep ofPlatform(String text) {
    return new PluginStep(text, RUNTIME_FAILED);
  }

  boolean isEmpty() {
    return text.isEmpty();
  }
}
