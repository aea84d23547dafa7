package dev.trainyard.server.file;

import dev.trainyard.engine.linux.FileHandle;
import dev.trainyard.engine.linux.LinuxException;
import dev.trainyard.engine.linux.TaskWrittenFile;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobService;
import dev.trainyard.server.log.WatchedSink;
import dev.trainyard.server.queue.SavedOutput;
import dev.trainyard.server.work.Downloads;
import dev.trainyard.server.work.WorkPools;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code /api/v3/jobs/{job}/outputs}: the saved output of a job. */
public final class OutputRoutes {
  private static final Logger LOG = LoggerFactory.getLogger(OutputRoutes.class);

  /** Maximum number of concurrent downloads of one user; each holds file descriptors. */
  private static final int MAX_DOWNLOADS = 16;

  private static final int DEFAULT_LIMIT = 200;
  private static final int MAX_PAGE_SIZE = 1000;
  private static final int CHUNK_SIZE = 64 * 1024;

  /** The longest path that Linux accepts. */
  private static final int MAX_PATH_LENGTH = 4_096;

  private final JobService jobs;
  private final Function<Job, SavedOutput> outputs;
  private final Consumer<Path> accessGranter;
  private final Downloads downloads = new Downloads(MAX_DOWNLOADS);

  /**
   * @param outputs returns the location of the output of a job
   * @param accessGranter gives the server's account access to files that tasks have made unreadable
   *     for it
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
    List<Problem> problems = new ArrayList<>();
    int limit = limit(request, problems);
    String after = request.query("after").map(text -> decodeName(text, problems)).orElse("");
    requireNone(problems);
    String path = path(request);
    Optional<FileHandle> found = find(job, output, path);
    if (found.isEmpty() && path.isEmpty()) {
      return view(path, new DirectoryPage(List.of(), Optional.empty()));
    }
    try (FileHandle directory = found.orElseThrow(() -> fileNotFound(path))) {
      if (directory.attributes().kind() != FileHandle.Kind.DIRECTORY) {
        throw new AppException(
            ErrorCode.CONFLICT, Message.of("error.not-a-directory", "path", path));
      }
      return view(path, DirectoryPage.read(directory, after, limit));
    } catch (AccessDeniedException e) {
      throw fileUnreadable(path);
    }
  }

  /**
   * Finds a file. If the server can't read it, gives the server access to all saved files of the
   * job, because other files of the job are probably unreadable too. Does not do so in a home,
   * which may contain any number of other files.
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

  private static Map<String, Object> view(String path, DirectoryPage page) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("path", path);
    view.put("files", page.entries().stream().map(OutputRoutes::view).toList());
    page.next()
        .map(name -> name.getBytes(StandardCharsets.ISO_8859_1))
        .map(Base64.getUrlEncoder().withoutPadding()::encodeToString)
        .ifPresent(next -> view.put("next", next));
    return view;
  }

  private static Map<String, Object> view(DirectoryPage.Entry entry) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("name", entry.name());
    view.put("kind", entry.facts().kind().name().toLowerCase(Locale.ROOT));
    view.put("size", entry.facts().kind() == FileHandle.Kind.FILE ? entry.facts().size() : null);
    view.put("modified", Math.max(0, entry.facts().modified().toMillis()));
    view.put("text", entry.text());
    return view;
  }

  private Object download(Request request) throws IOException {
    Job job = loadJob(request);
    String path = path(request);
    if (path.isEmpty()) {
      requireNone(List.of(Problem.at("path", Message.of("error.field-missing"))));
    }
    downloads.begin(request.caller().userId());
    String name = downloadName(path, job);
    SavedOutput output = outputs.apply(job);
    return WorkPools.FILES.run(
        () -> FileDownload.of(() -> openFile(job, output, path), name, request));
  }

  private FileHandle openFile(Job job, SavedOutput output, String path) throws IOException {
    FileHandle file = find(job, output, path).orElseThrow(() -> fileNotFound(path));
    if (file.attributes().kind() != FileHandle.Kind.FILE) {
      file.close();
      throw new AppException(ErrorCode.CONFLICT, Message.of("error.not-a-file", "path", path));
    }
    if (!Files.isReadable(file.path())) {
      file.close();
      throw fileUnreadable(path);
    }
    requireNotLeased(file, path);
    return file;
  }

  /** Rejects a file on which a task holds a lease, before the response begins. */
  private static void requireNotLeased(FileHandle file, String path) throws IOException {
    try {
      TaskWrittenFile.openForReading(file.path()).close();
    } catch (IOException e) {
      file.close();
      if (e instanceof LinuxException linuxError && linuxError.isLeased()) {
        throw new AppException(ErrorCode.CONFLICT, Message.of("error.file-leased", "path", path));
      }
      throw e;
    }
  }

  private Object pack(Request request) throws IOException {
    Job job = loadJob(request);
    String path = path(request);
    String formatName = request.query("format").orElse("zip");
    ArchiveFormat format =
        switch (formatName) {
          case "zip" -> ArchiveFormat.ZIP;
          case "tar" -> ArchiveFormat.TAR;
          default ->
              throw badRequest("format", Message.of("error.not-a-format", "value", formatName));
        };
    String name = downloadName(path, job);
    downloads.begin(request.caller().userId());
    SavedOutput output = outputs.apply(job);
    WorkPools.FILES.<Void, IOException>run(
        () -> {
          openDirectory(job, output, path).close();
          return null;
        });
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    String topLevelName = new String(bytes, StandardCharsets.ISO_8859_1);
    Reply.Stream body =
        sink -> {
          try (FileHandle root = WorkPools.FILES.resume(() -> openDirectory(job, output, path))) {
            Reply.Sink checkedSink =
                new WatchedSink(sink, request::isStillSignedIn, WatchedSink.CHECK_INTERVAL);
            pack(root, topLevelName, format, checkedSink);
          }
        };
    return FileDownload.attachment(Reply.of(200, body), name + "." + format.label())
        .with("Content-Type", format.contentType());
  }

  /**
   * Packs a directory and sends it. Only packing occupies a thread of the pool, because the client
   * may be slow.
   */
  private static void pack(FileHandle root, String name, ArchiveFormat format, Reply.Sink sink)
      throws IOException {
    ByteArrayOutputStream packedBytes = new ByteArrayOutputStream();
    try (TreeArchive archive = new TreeArchive(root, name, format.packer(packedBytes))) {
      boolean hasMore = true;
      while (hasMore) {
        hasMore = WorkPools.FILES.resume(archive::step);
        if (packedBytes.size() >= CHUNK_SIZE || !hasMore) {
          sink.write(packedBytes.toByteArray(), 0, packedBytes.size());
          packedBytes.reset();
        }
      }
    }
  }

  private FileHandle openDirectory(Job job, SavedOutput output, String path) throws IOException {
    FileHandle directory = find(job, output, path).orElseThrow(() -> fileNotFound(path));
    if (directory.attributes().kind() != FileHandle.Kind.DIRECTORY) {
      directory.close();
      throw new AppException(ErrorCode.CONFLICT, Message.of("error.not-a-directory", "path", path));
    }
    return directory;
  }

  /** Returns the file name of a download. It never contains a directory, whatever the path is. */
  private static String downloadName(String path, Job job) {
    int end = path.length();
    while (end > 0 && path.charAt(end - 1) == '/') {
      end--;
    }
    String lastName = path.substring(path.lastIndexOf('/', end - 1) + 1, end);
    return lastName.chars().allMatch(letter -> letter == '.') ? job.name() : lastName;
  }

  /** Returns the requested path. There is no file at a path that is longer than the limit. */
  private static String path(Request request) {
    String path = request.query("path").orElse("");
    if (path.length() > MAX_PATH_LENGTH) {
      throw fileNotFound(path.substring(0, MAX_PATH_LENGTH));
    }
    return path;
  }

  private static int limit(Request request, List<Problem> problems) {
    String text = request.query("limit").orElse(String.valueOf(DEFAULT_LIMIT));
    if (text.matches("[1-9][0-9]{0,3}") && Integer.parseInt(text) <= MAX_PAGE_SIZE) {
      return Integer.parseInt(text);
    }
    Message problem = Message.of("error.not-in-range", "value", text).with("from", 1);
    problems.add(Problem.at("limit", problem.with("to", MAX_PAGE_SIZE)));
    return DEFAULT_LIMIT;
  }

  private static String decodeName(String text, List<Problem> problems) {
    try {
      return new String(Base64.getUrlDecoder().decode(text), StandardCharsets.ISO_8859_1);
    } catch (IllegalArgumentException e) {
      problems.add(Problem.at("after", Message.of("error.not-a-page", "value", text)));
      return "";
    }
  }

  private static void requireNone(List<Problem> problems) {
    if (!problems.isEmpty()) {
      throw new AppException(ErrorCode.BAD_REQUEST, Message.of("error.bad-query"), problems);
    }
  }

  private static AppException badRequest(String parameter, Message problem) {
    return new AppException(
        ErrorCode.BAD_REQUEST,
        Message.of("error.bad-query"),
        List.of(Problem.at(parameter, problem)));
  }

  private static AppException fileNotFound(String path) {
    return new AppException(ErrorCode.NOT_FOUND, Message.of("error.no-such-file", "path", path));
  }

  private static AppException fileUnreadable(String path) {
    return new AppException(ErrorCode.FORBIDDEN, Message.of("error.file-unreadable", "path", path));
  }
}
