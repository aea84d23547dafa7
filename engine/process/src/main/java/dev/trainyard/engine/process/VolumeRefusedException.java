package dev.trainyard.engine.process;

import java.io.IOException;

/**
 * A volume's place turned out to be none when the task's file system was made: the job file's
 * fault, and the same however often it is tried. The message is fit for the job's owner.
 */
final class VolumeRefusedException extends IOException {
  VolumeRefusedException(String message, Throwable cause) {
    super(message, cause);
  }
}
