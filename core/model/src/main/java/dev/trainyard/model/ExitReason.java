package dev.trainyard.model;

/** How a task's end is understood. Retries decide on the blame, never on a text. */
public enum ExitReason {
  SUCCEEDED(Blame.NOBODY),
  /** The user's program ended with another code than 0. */
  COMMAND_FAILED(Blame.USER),
  /** A signal that did not come from the platform ended the user's program. */
  KILLED_BY_SIGNAL(Blame.USER),
  OUT_OF_MEMORY(Blame.USER),
  /** It failed while the disk that holds its files had no room. */
  DISK_FULL(Blame.USER),
  /** The platform ended it because somebody or a rule asked for it. */
  STOPPED(Blame.NOBODY),
  /** The engine refuses it for good: as it is written it can't run here. */
  START_REFUSED(Blame.USER),
  /** The sandbox or container could not be made this time. */
  START_FAILED(Blame.PLATFORM),
  /** The supervisor is gone without a record. */
  SUPERVISOR_LOST(Blame.PLATFORM),
  /** The machine was restarted under it. */
  NODE_LOST(Blame.PLATFORM);

  /** Who has to do something about it. */
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

  /** Whether nothing of the user's ran, because it could not be brought to run. */
  public boolean isFailedStart() {
    return this == START_FAILED || this == START_REFUSED;
  }
}
