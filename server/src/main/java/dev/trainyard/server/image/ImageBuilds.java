package dev.trainyard.server.image;

import dev.trainyard.engine.DeletedTree;
import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.ImageException;
import dev.trainyard.engine.ImageStore;
import dev.trainyard.jobfile.dockerfile.BuildPlan;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.ImageSettings;
import dev.trainyard.model.Problem;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.queue.JobBuilds;
import dev.trainyard.server.user.UserStore;
import dev.trainyard.server.work.HeavyWork;
import dev.trainyard.server.work.Requester;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Images that are built by jobs. A build is a job like every other; what is special about it is
 * stored with it: its files in a directory, and that an image is to be made of its task. The task's
 * container stays until the job's end is recorded, so a server that is killed in between makes the
 * image in its next life; a mark in the image says that it is made. Thread-safe.
 */
final class ImageBuilds implements JobBuilds {
  private static final Logger LOG = LoggerFactory.getLogger(ImageBuilds.class);

  /** Says of an image by which job it was built. */
  private static final String JOB_LABEL = "dev.trainyard.image.job";

  private final Db db;
  private final ImageStore images;
  private final LocalImages local;
  private final Path place;

  /** Those that are being filled. */
  private final Set<String> underWay = ConcurrentHashMap.newKeySet();

  /**
   * @param place where the files of builds are kept
   */
  ImageBuilds(Db db, ImageStore images, LocalImages local, Path place) {
    this.db = db;
    this.images = images;
    this.local = local;
    this.place = place;
  }

  LocalImages local() {
    return local;
  }

  /** An empty directory, safe from being cleaned up until {@link #begun} is called. */
  Path begin(String name) throws IOException {
    underWay.add(name);
    Files.createDirectories(
        place, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    return Files.createDirectory(
        place.resolve(name),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  /** It is a job's now, or nobody's. */
  void begun(String name, boolean kept) {
    try {
      if (!kept) {
        deleteFiles(name);
      }
    } finally {
      underWay.remove(name);
    }
  }

  /** Not in the share of a user, because it must happen even if the client has disconnected. */
  private void deleteFiles(String name) {
    Requester.SERVER.run(
        () ->
            HeavyWork.FILES.resume(
                () -> {
                  DeletedTree.delete(place.resolve(name));
                  return null;
                }));
  }

  /** Deletes the files of builds that are over, and what a killed server left. */
  void sweep() {
    if (!Files.isDirectory(place)) {
      return;
    }
    // Listed first: what comes after that is either under way or needed.
    try (var all = Files.list(place)) {
      List<String> found = all.map(path -> path.getFileName().toString()).toList();
      Set<String> kept = new HashSet<>(underWay);
      kept.addAll(db.read(ImageBuild::needed));
      for (String name : found) {
        if (!kept.contains(name)) {
          DeletedTree.delete(place.resolve(name));
        }
      }
    } catch (IOException e) {
      LOG.warn("files of builds can't be listed", e);
    }
  }

  private ImageBuild load(Job job) {
    return db.read(handle -> ImageBuild.find(handle, job.id()))
        .orElseThrow(() -> new EngineException("nothing is known of this build"));
  }

  private BuildPlan.Outcome plan(ImageBuild build, ImageSettings base) {
    return BuildPlan.of(
        build.dockerfile(),
        build.arguments(),
        Optional.of(base),
        new ContextDirectory(place.resolve(build.directory())));
  }

  @Override
  public Steps steps(Job job, String image) {
    ImageBuild build = load(job);
    Path context = place.resolve(build.directory());
    if (!Files.isDirectory(context)) {
      throw new EngineException("the files of this build are gone");
    }
    BuildPlan.Outcome plan;
    try {
      plan = plan(build, images.settings(image));
    } catch (ImageException e) {
      throw EngineException.passing(
          "the image " + image + " can't be looked at: " + e.getMessage());
    }
    if (!plan.problems().isEmpty()) {
      Problem first = plan.problems().getFirst();
      throw new EngineException(
          "line " + first.line() + " of the Dockerfile: " + first.message().english());
    }
    return new Steps(plan.script(), context, BuildPlan.CONTEXT);
  }

  @Override
  public TaskEnd finish(Job job, TaskId task, TaskEnd end) {
    ImageBuild build = load(job);
    Caller owner =
        new Caller(job.userId(), job.userName(), build.admin() && isAdministrator(job), "");
    try {
      local.build(owner, task, build, JOB_LABEL, base -> plan(build, base).settings());
      return end;
    } catch (AppException e) {
      LOG.warn("the image of job {} could not be made: {}", job.id(), e.getMessage());
      return new TaskEnd(1, ExitReason.COMMAND_FAILED, e.text().english(), end.at());
    }
  }

  /** Whether the owner still is one: a build may wait for long. */
  private boolean isAdministrator(Job job) {
    return db.read(handle -> UserStore.find(handle, job.userName()))
        .filter(user -> user.id().equals(job.userId()))
        .filter(user -> user.admin() && !user.disabled())
        .isPresent();
  }
}
