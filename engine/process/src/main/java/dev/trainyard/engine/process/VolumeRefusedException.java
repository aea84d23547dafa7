package dev.trainyard.engine.process;

import java.io.IOException;

/**
 * Reports that the mount point of a volume was found to be invalid when the task's file system was
 * created. The job file is the cause, so a retry fails as well. The message can be shown to the
 * job's owner.
 */
final class VolumeRefusedException extends IOException {
  VolumeRefusedException(String message, Throwable cause) {
    super(message, cause);
  }
}
