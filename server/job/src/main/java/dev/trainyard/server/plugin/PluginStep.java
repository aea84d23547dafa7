package dev.trainyard.server.plugin;

/**
 * A script that a plugin has run in a task.
 *
 * @param text a shell script, run on its own; empty for nothing to be run
 * @param code what the task ends with if it fails; 0 for what the script ended with
 */
record PluginStep(String text, int code) {
  /** OpenPAI's code for a failure of its runtime that has no code of its own. */
  static final int RUNTIME_FAILED = 255;

  static final PluginStep NOTHING = new PluginStep("", 0);

  /** Of commands that the user wrote: their exit codes are the task's, as those of its command. */
  static PluginStep ofUser(String text) {
    return new PluginStep(text, 0);
  }

  /** Of what the platform does. */
  static PluginStep ofPlatform(String text) {
    return new PluginStep(text, RUNTIME_FAILED);
  }

  boolean isNothing() {
    return text.isEmpty();
  }
}
