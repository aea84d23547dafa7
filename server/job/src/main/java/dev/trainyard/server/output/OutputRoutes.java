package dev.trainyard.server.output;

import dev.trainyard.engine.linux.FileHandle;
import dev.trainyard.server.file.ArchiveDownload;
import dev.trainyard.server.file.DirectoryView;
import dev.trainyard.server.file.FileDownload;
import dev.trainyard.server.file.FileQuery;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobService;
import dev.trainyard.server.queue.SavedOutput;
import dev.trainyard.server.storage.DirectoryPage;
import dev.trainyard.server.storage.FileErrors;
import dev.trainyard.server.work.Downloads;
import dev.trainyard.server.work.WorkPools;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code /api/v3/jobs/{job}/outputs}: the saved output of a job. */
public final class OutputRoutes {
  private static final Logger LOG = LoggerFactory.getLogger(OutputRoutes.class);

  /** Maximum number of concurrent downloads of one user. Every download holds file descriptors. */
  private static final int MAX_DOWNLOADS = 16;

  private final JobService jobs;
  private final Function<Job, SavedOutput> outputs;
  private final Consumer<Path> accessGranter;
  private final Downloads downloads = new Downloads(MAX_DOWNLOADS);

  /**
   * @param outputs returns the location of the output of a job
   * @param accessGranter gives the server's account access to files that tasks have made unreadable
   *     for this account
   */
  public OutputRoutes(
      JobService jobs, Function<Job, SavedOutput> outputs, Consumer<Path> accessGranter) {
    this.jobs = jobs;
    this.outputs = outputs;
    this.accessGranter = accessGranter;
  }

  public void addTo(Routes routes) {
    routes.add("GET", "/api/v3/jobs/:job/outputs", Access.USER, this::list);
    routes.add("GET", "/api/v3/jobs/:job/outputs/file", Access.USER, this::download);
    routes.add("GET", "/api/v3/jobs/:job/outputs/archive", Access.USER, this::pack);
  }

  private Object list(Request request) throws IOException {
    Job job = loadJob(request);
    SavedOutput output = outputs.apply(job);
    return WorkPools.FILES.run(() -> page(request, job, output));
  }

  private Job loadJob(Request request) {
    Job job = jobs.loadVisible(request.caller(), request.path("job"));
    jobs.foreignAudit().recordOutputRead(request.caller(), job);
    return job;
  }

  private Object page(Request request, Job job, SavedOutput output) throws IOException {
    FileQuery.Page page = FileQuery.page(request);
    String path = FileQuery.path(request);
    Optional<FileHandle> found = find(job, output, path);
    if (found.isEmpty() && path.isEmpty()) {
      return DirectoryView.of(path, new DirectoryPage(List.of(), Optional.empty()));
    }
    try (FileHandle directory = found.orElseThrow(() -> FileErrors.notFound(path))) {
      if (directory.attributes().kind() != FileHandle.Kind.DIRECTORY) {
        throw FileErrors.notDirectory(path);
      }
      return DirectoryView.of(path, DirectoryPage.read(directory, page.after(), page.limit()));
    } catch (AccessDeniedException e) {
      throw FileErrors.unreadable(path);
    }
  }

  /**
   * Finds a file. If the server cannot read the file, gives the server access to all saved files of
   * the job, because other files are probably unreadable too. Does not give access in a home
   * directory, which may contain any number of other files.
   */
  private Optional<FileHandle> find(Job job, SavedOutput output, String path) throws IOException {
    Optional<FileHandle> found = FileHandle.find(output.root(), output.directory(), path);
    if (found.isEmpty() || !output.isOwnDirectory() || !isInaccessible(found.get())) {
      return found;
    }
    found.get().close();
    try {
      accessGranter.accept(output.root());
    } catch (RuntimeException e) {
      LOG.warn("failed to get access to the saved output of job {}", job.id(), e);
    }
    return FileHandle.find(output.root(), output.directory(), path);
  }

  private static boolean isInaccessible(FileHandle file) {
    return switch (file.attributes().kind()) {
      case FILE -> !Files.isReadable(file.path());
      case DIRECTORY -> !Files.isReadable(file.path()) || !Files.isExecutable(file.path());
      case LINK, OTHER -> false;
    };
  }

  private Object download(Request request) throws IOException {
    Job job = loadJob(request);
    String path = FileQuery.filePath(request);
    downloads.begin(request.caller().userId());
    SavedOutput output = outputs.apply(job);
    return WorkPools.FILES.run(
        () ->
            FileDownload.of(
                () -> FileDownload.requireFile(open(job, output, path), path),
                FileDownload.name(path, job.name()),
                request));
  }

  private FileHandle open(Job job, SavedOutput output, String path) throws IOException {
    return find(job, output, path).orElseThrow(() -> FileErrors.notFound(path));
  }

  private Object pack(Request request) throws IOException {
    Job job = loadJob(request);
    String path = FileQuery.path(request);
    downloads.begin(request.caller().userId());
    SavedOutput output = outputs.apply(job);
    return ArchiveDownload.of(
        () -> open(job, output, path),
        path,
        FileDownload.name(path, job.name()),
        _ -> true,
        request);
  }
}
