package dev.trainyard.cli.terminal;

import dev.trainyard.model.JobState;

/** Colors of the command line by meaning. */
public enum Style {
  NONE(""),
  GOOD("32"),
  BAD("31"),
  BUSY("36"),
  WAIT("33"),
  DIM("2"),
  STRONG("1");

  private final String code;

  Style(String code) {
    this.code = code;
  }

  String apply(String text) {
    return this == NONE ? text : "\u001B[" + code + "m" + text + "\u001B[0m";
  }

  /** Returns the style of a state by name; a newer server may have states that are unknown here. */
  public static Style ofState(String state) {
    for (JobState jobState : JobState.values()) {
      if (jobState.name().equals(state)) {
        return switch (jobState) {
          case WAITING, PAUSED -> WAIT;
          case PREPARING, RUNNING, STOPPING -> BUSY;
          case SUCCEEDED -> GOOD;
          case FAILED -> BAD;
          case STOPPED -> DIM;
        };
      }
    }
    return NONE;
  }
}
