package dev.trainyard.engine.docker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.trainyard.engine.linux.StopMark;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a task on disk: {@code docker/tasks/<id>/}, accessible to the server's account only.
 * The rest of the task's state is in its container.
 *
 * <pre>
 * spec.json   the StoredTask: spec and address; the last file that a reservation creates
 * started     created just before the container is started for the first time
 * stop        a link, created by a stop request, whose text is the end of the grace period
 * end         written by the container's first process, in place; untrusted
 * end.json    the end of the task as determined by the server
 * hosts       mounted as /etc/hosts
 * platform/   mounted as /usr/local/pai; .trainyard contains the input of init.c
 * </pre>
 */
record DockerTaskDirectory(TaskId id, Path path) {
  private static final Logger LOG = LoggerFactory.getLogger(DockerTaskDirectory.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The stored form of an end. */
  private record StoredEnd(int exitCode, ExitReason reason, String detail, long at) {}

  Path file(String name) {
    return path.resolve(name);
  }

  Path platform() {
    return path.resolve("platform");
  }

  /** Returns a file that the container's first process reads or writes. */
  Path initFile(String name) {
    return platform().resolve(ContainerSpecBuilder.INIT_DIRECTORY).resolve(name);
  }

  boolean isReserved() {
    return Files.exists(file("spec.json"));
  }

  /**
   * Returns the path of the mark that is used on a file system without free inodes.
   *
   * @param tasks directory of all tasks
   */
  static Path expiredStop(Path tasks) {
    return tasks.resolveSibling("expired-stop");
  }

  StopMark stopMark() {
    return new StopMark(file("stop"), expiredStop(path.getParent()));
  }

  /** Returns whether the start was requested and the container must still be started. */
  boolean mustBeStarted() throws IOException {
    return isStarted() && end().isEmpty() && !stopMark().isSet();
  }

  boolean isStarted() {
    return Files.exists(file("started"));
  }

  void markStarted() throws IOException {
    try {
      Files.createFile(file("started"));
    } catch (FileAlreadyExistsException e) {
      // A server process created the file and was killed before it started the container.
    }
  }

  /**
   * Returns the end; empty if it has not been determined yet, or if the record is damaged, so that
   * the end must be determined again.
   */
  Optional<TaskEnd> end() throws IOException {
    try {
      StoredEnd end = JSON.readValue(Files.readString(file("end.json")), StoredEnd.class);
      Instant endTime = Instant.ofEpochMilli(end.at());
      return Optional.of(new TaskEnd(end.exitCode(), end.reason(), end.detail(), endTime));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (JsonProcessingException e) {
      LOG.warn("the record of the end of task {} is damaged", id, e);
      return Optional.empty();
    }
  }

  void writeEnd(TaskEnd end) throws IOException {
    StoredEnd stored =
        new StoredEnd(end.exitCode(), end.reason(), end.detail(), end.at().toEpochMilli());
    AtomicFile.write(file("end.json"), file("end.draft"), JSON.writeValueAsString(stored));
  }
}
