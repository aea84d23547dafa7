package dev.trainyard.server.image;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import dev.trainyard.model.ImageReference;
import dev.trainyard.model.JobId;
import dev.trainyard.model.JobState;
import dev.trainyard.server.http.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** SQL statements for {@link ImageBuild}. */
final class ImageBuildStore {
  private static final List<String> UNFINISHED =
      Arrays.stream(JobState.values())
          .filter(state -> !state.isFinal())
          .map(JobState::name)
          .toList();

  private ImageBuildStore() {}

  static void insert(Handle handle, JobId job, ImageBuild build) {
    try {
      handle.execute(
          "insert into image_build"
              + " (job_id, reference, push, admin, dockerfile, arguments, directory)"
              + " values (?, ?, ?, ?, ?, ?, ?)",
          job.value(),
          build.reference().toString(),
          build.push() ? 1 : 0,
          build.admin() ? 1 : 0,
          build.dockerfileText(),
          Json.MAPPER.writeValueAsString(build.arguments()),
          build.directory());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  static Optional<ImageBuild> find(Handle handle, JobId job) {
    return handle
        .createQuery("select * from image_build where job_id = :job")
        .bind("job", job.value())
        .map(
            (rows, _) ->
                new ImageBuild(
                    ImageReference.of(rows.getString("reference")),
                    rows.getInt("push") == 1,
                    rows.getInt("admin") == 1,
                    rows.getString("dockerfile"),
                    arguments(rows.getString("arguments")),
                    rows.getString("directory")))
        .findOne();
  }

  private static Map<String, String> arguments(String text) {
    try {
      return Json.MAPPER.readValue(text, new TypeReference<Map<String, String>>() {});
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the directories of unfinished builds. */
  static List<String> unfinishedDirectories(Handle handle) {
    return handle
        .createQuery(
            "select b.directory from image_build b join job j on j.id = b.job_id"
                + " where j.state in (<states>)")
        .bindList("states", UNFINISHED)
        .mapTo(String.class)
        .list();
  }

  /** Returns the directories of the unfinished builds of a user. */
  static List<String> unfinishedDirectories(Handle handle, String userId) {
    return handle
        .createQuery(
            "select b.directory from image_build b join job j on j.id = b.job_id"
                + " where j.user_id = :user and j.state in (<states>)")
        .bind("user", userId)
        .bindList("states", UNFINISHED)
        .mapTo(String.class)
        .list();
  }
}
