package dev.trainyard.model;

import java.util.Locale;

/** The platform's reaction to an end of a certain kind, within the limits of the job. */
public enum RetryBehavior {
  /** No retry, because the retry would end in the same way or was not requested. */
  NEVER,
  /** User failure: retried as often as the job's retry count allows. */
  COUNTED,
  /** Platform failure: retried without being counted. */
  FREE,
  /** Conflict with another job: retried after a pause, at first without being counted. */
  BACK_OFF;

  /** Returns the description for users. */
  public Message description() {
    return Message.of("end.reaction." + name().toLowerCase(Locale.ROOT).replace('_', '-'));
  }
}
