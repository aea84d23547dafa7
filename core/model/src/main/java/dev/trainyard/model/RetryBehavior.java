package dev.trainyard.model;

import java.util.Locale;

/** What the platform does after an end of a certain kind, as far as the job lets it. */
public enum RetryBehavior {
  /** Another try would end the same way, or nobody wants one. */
  NEVER,
  /** The user's own: another try as often as the job asks for it. */
  COUNTED,
  /** The platform's fault: another try that costs the user nothing. */
  FREE,
  /** Two wanted the same thing: another try, after a pause, that costs nothing at first. */
  BACK_OFF;

  /** What is said about it. */
  public Message words() {
    return Message.of("end.reaction." + name().toLowerCase(Locale.ROOT).replace('_', '-'));
  }
}
