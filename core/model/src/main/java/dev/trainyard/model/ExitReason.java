package dev.trainyard.model;

/**
 * Classification of a task's end. Whether a task is retried depends on its {@link Blame}, never on
 * the text of a message.
 */
public enum ExitReason {
  SUCCEEDED(Blame.NOBODY),
  /** The user's program ended with an exit code other than 0. */
  COMMAND_FAILED(Blame.USER),
  /** The user's program was ended by a signal that the platform did not send. */
  KILLED_BY_SIGNAL(Blame.USER),
  OUT_OF_MEMORY(Blame.USER),
  /** The task failed while the disk that contains its files was full. */
  DISK_FULL(Blame.USER),
  /** The platform stopped the task because a user or a rule requested it. */
  STOPPED(Blame.NOBODY),
  /**
   * The engine rejects the task permanently, because the task cannot run on this node in its
   * current form.
   */
  START_REFUSED(Blame.USER),
  /** Creation of the sandbox or container failed; a retry may succeed. */
  START_FAILED(Blame.PLATFORM),
  /** The supervisor disappeared without leaving a record. */
  SUPERVISOR_LOST(Blame.PLATFORM),
  /** The node was restarted while the task ran. */
  NODE_LOST(Blame.PLATFORM);

  /** The party that has to resolve the problem. */
  public enum Blame {
    NOBODY,
    USER,
    PLATFORM
  }

  private final Blame blame;

  ExitReason(Blame blame) {
    this.blame = blame;
  }

  public Blame blame() {
    return blame;
  }

  /** Returns whether the user's program did not run at all because its start failed. */
  public boolean isFailedStart() {
    return this == START_FAILED || this == START_REFUSED;
  }
}
