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
 * What of a task is on the disk: {@code docker/tasks/<id>/}, for the server's account only. The
 * rest is in its container, which is found by its label.
 *
 * <pre>
 * spec.json   the whole TaskSpec and where it is; the last thing a reservation makes
 * started     made just before the container is started for the first time
 * stop        made when somebody asked for the end: a link whose text says when the grace is over
 * end         written by the container's first process, in place: not to be trusted
 * end.json    how it ended, once that is understood
 * hosts       becomes /etc/hosts
 * platform/   becomes /usr/local/pai, with what init.c reads in .trainyard
 * </pre>
 */
record DockerTaskDirectory(TaskId id, Path path) {
  private static final Logger LOG = LoggerFactory.getLogger(DockerTaskDirectory.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  /** An end as it is written down. */
  private record Stored(int exitCode, ExitReason reason, String detail, long at) {}

  Path file(String name) {
    return path.resolve(name);
  }

  Path platform() {
    return path.resolve("platform");
  }

  /** What the container's first process reads and writes. */
  Path forInit(String name) {
    return platform().resolve(Container.INIT_DIRECTORY).resolve(name);
  }

  boolean isReserved() {
    return Files.exists(file("spec.json"));
  }

  StopMark stop() {
    return new StopMark(file("stop"));
  }

  boolean isStarted() {
    return Files.exists(file("started"));
  }

  void markStarted() throws IOException {
    try {
      Files.createFile(file("started"));
    } catch (FileAlreadyExistsException e) {
      // by a server that was killed before it came to do it
    }
  }

  /** Empty until it has ended and this is understood; one that is damaged is found out again. */
  Optional<TaskEnd> end() throws IOException {
    try {
      Stored end = JSON.readValue(Files.readString(file("end.json")), Stored.class);
      Instant at = Instant.ofEpochMilli(end.at());
      return Optional.of(new TaskEnd(end.exitCode(), end.reason(), end.detail(), at));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (JsonProcessingException e) {
      LOG.warn("the record of the end of task {} is damaged", id, e);
      return Optional.empty();
    }
  }

  void writeEnd(TaskEnd end) throws IOException {
    Stored stored = new Stored(end.exitCode(), end.reason(), end.detail(), end.at().toEpochMilli());
    AtomicFile.write(file("end.json"), file("end.draft"), JSON.writeValueAsString(stored));
  }
}
