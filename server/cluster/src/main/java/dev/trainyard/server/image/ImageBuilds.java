package dev.trainyard.server.image;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.ImageException;
import dev.trainyard.engine.ImageStore;
import dev.trainyard.engine.TreeDeleter;
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
import dev.trainyard.server.work.Requester;
import dev.trainyard.server.work.WorkPools;
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
 * Builds images by running jobs. A build is an ordinary job with additional data: a directory with
 * the build context, and a stored request to create an image from the task. The container of the
 * task is kept until the end of the job is recorded. If the server is killed before that, it
 * creates the image after the restart, unless a label on an existing image shows that this job
 * created the image. Thread-safe.
 */
final class ImageBuilds implements JobBuilds {
  private static final Logger LOG = LoggerFactory.getLogger(ImageBuilds.class);

  /** Image label with the ID of the job that built the image. */
  private static final String JOB_LABEL = "dev.trainyard.image.job";

  private final Db db;
  private final ImageStore images;
  private final LocalImages localImages;
  private final Path contexts;
  private final ContextBudget budget;

  /** Directories whose upload is in progress. */
  private final Set<String> inProgress = ConcurrentHashMap.newKeySet();

  /**
   * @param contexts directory that contains the build contexts
   */
  ImageBuilds(Db db, ImageStore images, LocalImages local, Path contexts, ContextBudget budget) {
    this.db = db;
    this.images = images;
    this.localImages = local;
    this.contexts = contexts;
    this.budget = budget;
  }

  LocalImages localImages() {
    return localImages;
  }

  /**
   * Begins the upload of a build context, which is not deleted before {@link #end} is called. Also
   * deletes the contexts of the user's finished builds, so that they do not count against the
   * user's limits.
   */
  ContextBudget.Upload begin(String userId, String directory) {
    ContextBudget.Upload upload = budget.begin(userId, directory);
    boolean isStarted = false;
    try {
      inProgress.add(directory);
      recountContexts(userId);
      isStarted = true;
      return upload;
    } finally {
      if (!isStarted) {
        inProgress.remove(directory);
        upload.close();
      }
    }
  }

  private void recountContexts(String userId) {
    // The directories are listed before the builds are queried: a directory that appears later
    // belongs to an upload in progress or to an unfinished build.
    Set<String> countedDirectories = budget.directories(userId);
    Set<String> keptDirectories = new HashSet<>(inProgress);
    List<String> unfinishedDirectories =
        db.read(handle -> ImageBuildStore.unfinishedDirectories(handle, userId));
    keptDirectories.addAll(unfinishedDirectories);
    countedDirectories.stream()
        .filter(directory -> !keptDirectories.contains(directory))
        .forEach(this::deleteFiles);
    unfinishedDirectories.stream()
        .filter(directory -> !countedDirectories.contains(directory))
        .forEach(directory -> WorkPools.FILES.resume(() -> measure(userId, directory)));
  }

  /** Counts a context that an earlier server process received. */
  private Optional<Void> measure(String userId, String directory) {
    ContextDirectory.Size size = context(directory).size();
    budget.add(userId, directory, size.entries(), size.bytes());
    return Optional.empty();
  }

  ContextDirectory context(String directory) {
    return new ContextDirectory(contexts.resolve(directory));
  }

  /** Creates the empty directory of a build whose upload has begun. */
  Path create(String directory) throws IOException {
    Files.createDirectories(
        contexts,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    return Files.createDirectory(
        contexts.resolve(directory),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  /**
   * Ends the upload that {@link #begin} started.
   *
   * @param submitted whether a job was submitted for the context; if not, the context is deleted
   */
  void end(String directory, boolean submitted) {
    try {
      if (!submitted) {
        deleteFiles(directory);
      }
    } finally {
      inProgress.remove(directory);
    }
  }

  /**
   * Deletes a context. Does not use the user's share of the thread pool, because the deletion must
   * run even if the client has disconnected.
   */
  private void deleteFiles(String name) {
    Requester.SERVER.run(
        () ->
            WorkPools.FILES.resume(
                () -> {
                  delete(name);
                  return null;
                }));
  }

  private void delete(String directory) {
    if (Files.isDirectory(contexts)) {
      TreeDeleter.delete(contexts.resolve(directory));
    }
    budget.stopCounting(directory);
  }

  /**
   * Deletes the contexts of finished builds and of uploads that were interrupted by a server crash.
   */
  void sweep() {
    if (!Files.isDirectory(contexts)) {
      return;
    }
    // The directories are listed before the builds are queried: a directory that appears later
    // belongs to an upload in progress or to an unfinished build.
    try (var paths = Files.list(contexts)) {
      List<String> directoryNames = paths.map(path -> path.getFileName().toString()).toList();
      Set<String> keptDirectories = new HashSet<>(inProgress);
      keptDirectories.addAll(db.read(ImageBuildStore::unfinishedDirectories));
      for (String name : directoryNames) {
        if (!keptDirectories.contains(name)) {
          delete(name);
        }
      }
    } catch (IOException e) {
      LOG.warn("failed to list the build contexts", e);
    }
  }

  private ImageBuild load(Job job) {
    return db.read(handle -> ImageBuildStore.find(handle, job.id()))
        .orElseThrow(() -> new EngineException("build not found"));
  }

  private BuildPlan.Outcome plan(ImageBuild build, ImageSettings base) {
    return BuildPlan.of(
        build.dockerfile(), build.arguments(), Optional.of(base), context(build.directory()));
  }

  @Override
  public Steps steps(Job job, String image) {
    ImageBuild build = load(job);
    Path context = contexts.resolve(build.directory());
    if (!Files.isDirectory(context)) {
      throw new EngineException("the build context was deleted");
    }
    BuildPlan.Outcome plan;
    try {
      plan = plan(build, images.settings(image));
    } catch (ImageException e) {
      throw EngineException.transientFailure(
          "failed to inspect image " + image + ": " + e.getMessage());
    }
    if (!plan.problems().isEmpty()) {
      Problem firstProblem = plan.problems().getFirst();
      throw new EngineException(
          "line "
              + firstProblem.line()
              + " of the Dockerfile: "
              + firstProblem.message().english());
    }
    return new Steps(plan.script(), context, BuildPlan.CONTEXT);
  }

  @Override
  public TaskEnd finish(Job job, TaskId task, TaskEnd end) {
    ImageBuild build = load(job);
    Caller owner =
        new Caller(job.userId(), job.userName(), build.admin() && isAdministrator(job), "");
    try {
      localImages.build(owner, task, build, JOB_LABEL, base -> plan(build, base).settings());
      return end;
    } catch (AppException e) {
      LOG.warn("failed to create the image of job {}: {}", job.id(), e.getMessage());
      return new TaskEnd(1, ExitReason.COMMAND_FAILED, e.text().english(), end.at());
    }
  }

  /**
   * Returns whether the owner is still an administrator. This may have changed since the
   * submission, because a build may wait for a long time.
   */
  private boolean isAdministrator(Job job) {
    return db.read(handle -> UserStore.find(handle, job.userName()))
        .filter(user -> user.id().equals(job.userId()))
        .filter(user -> user.admin() && !user.disabled())
        .isPresent();
  }
}
