package dev.trainyard.server.job;

import org.jdbi.v3.core.Handle;

/** Finds a free name for a job whose name is taken. */
final class JobNames {
  private static final int MAX_LENGTH = 255;
  private static final int MAX_NUMBER = 1 << 30;

  private final JobStore jobs;

  JobNames(JobStore jobs) {
    this.jobs = jobs;
  }

  /**
   * Returns the name if it is free; otherwise, a free name that consists of the name and a number.
   * Numbers are tested in doubling steps and then by bisection, so that even the ten-thousandth run
   * of a file needs only a few queries.
   */
  String findFree(Handle handle, String userId, String name) {
    if (!jobs.isNameTaken(handle, userId, name)) {
      return name;
    }
    int takenNumber = 1;
    int freeNumber = 2;
    while (freeNumber < MAX_NUMBER
        && jobs.isNameTaken(handle, userId, withNumber(name, freeNumber))) {
      takenNumber = freeNumber;
      freeNumber *= 2;
    }
    while (freeNumber - takenNumber > 1) {
      int middle = (freeNumber + takenNumber) >>> 1;
      if (jobs.isNameTaken(handle, userId, withNumber(name, middle))) {
        takenNumber = middle;
      } else {
        freeNumber = middle;
      }
    }
    return withNumber(name, freeNumber);
  }

  private static String withNumber(String name, int number) {
    String suffix = "-" + number;
    return name.substring(0, Math.min(name.length(), MAX_LENGTH - suffix.length())) + suffix;
  }
}
