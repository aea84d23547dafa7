package dev.trainyard.server.file;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.JobId;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobService;
import dev.trainyard.server.log.WatchedSink;
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

  /** Maximum downloads of one user at a time; each holds file descriptors. */
  private static final int MAX_DOWNLOADS = 16;

  private static final int DEFAULT_LIMIT = 200;
  private static final int MAX_PAGE_SIZE = 1000;
  private static final int PIECE = 64 * 1024;

  /** The longest path that Linux accepts. */
  private static final int MAX_PATH_LENGTH = 4_096;

  private final JobService jobs;
  private final Function<JobId, Path> roots;
  private final Consumer<Path> opener;
  private final Downloads downloads = new Downloads(MAX_DOWNLOADS);

  /**
   * @param roots returns the output directory of a job
   * @param opener gives the server's account access to files that tasks have made unreadable for it
   */
  public OutputRoutes(JobService jobs, Function<JobId, Path> roots, Consumer<Path> opener) {
    this.jobs = jobs;
    this.roots = roots;
    this.opener = opener;
  }

  public void addTo(Routes routes) {
    routes.add("GET", "/api/v3/jobs/:job/outputs", Access.USER, this::list);
    routes.add("GET", "/api/v3/jobs/:job/outputs/file", Access.USER, this::download);
    routes.add("GET", "/api/v3/jobs/:job/outputs/archive", Access.USER, this::pack);
  }

  private Object list(Request request) throws IOException {
    return WorkPools.FILES.run(() -> page(request));
  }

  private Job job(Request request) {
    Job job = jobs.loadVisible(request.caller(), request.path("job"));
    jobs.foreign().readsOutput(request.caller(), job);
    return job;
  }

  private Object page(Request request) throws IOException {
    Job job = job(request);
    List<Problem> problems = new ArrayList<>();
    int limit = limit(request, problems);
    String after = request.query("after").map(text -> name(text, problems)).orElse("");
    refuse(problems);
    String path = path(request);
    Optional<FileHandle> found = find(job, path);
    if (found.isEmpty() && path.isEmpty()) {
      return view(path, new DirectoryPage(List.of(), Optional.empty()));
    }
    try (FileHandle directory = found.orElseThrow(() -> missing(path))) {
      if (directory.facts().kind() != FileHandle.Kind.DIRECTORY) {
        throw new AppException(
            ErrorCode.CONFLICT, Message.of("error.not-a-directory", "path", path));
      }
      return view(path, DirectoryPage.read(directory, after, limit));
    } catch (AccessDeniedException e) {
      throw unreadable(path);
    }
  }

  /**
   * Finds a file. If the server can't read it, gives the server access to all saved files of the
   * job, because the next ones would likely be unreadable too.
   */
  private Optional<FileHandle> find(Job job, String path) throws IOException {
    Path root = roots.apply(job.id());
    Optional<FileHandle> found = FileHandle.find(root, path);
    if (found.isEmpty() || !isClosed(found.get())) {
      return found;
    }
    found.get().close();
    try {
      opener.accept(root);
    } catch (RuntimeException e) {
      LOG.warn("failed to get access to the saved output of job {}", job.id(), e);
    }
    return FileHandle.find(root, path);
  }

  private static boolean isClosed(FileHandle file) {
    return switch (file.facts().kind()) {
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
    Job job = job(request);
    String path = path(request);
    if (path.isEmpty()) {
      refuse(List.of(Problem.at("path", Message.of("error.field-missing"))));
    }
    downloads.begin(request.caller().userId());
    String name = lastPart(path, job);
    return WorkPools.FILES.run(() -> FileDownload.of(() -> file(job, path), name, request));
  }

  private FileHandle file(Job job, String path) throws IOException {
    FileHandle file = find(job, path).orElseThrow(() -> missing(path));
    if (file.facts().kind() != FileHandle.Kind.FILE) {
      file.close();
      throw new AppException(ErrorCode.CONFLICT, Message.of("error.not-a-file", "path", path));
    }
    if (!Files.isReadable(file.path())) {
      file.close();
      throw unreadable(path);
    }
    return file;
  }

  private Object pack(Request request) throws IOException {
    Job job = job(request);
    String path = path(request);
    String formatName = request.query("format").orElse("zip");
    ArchiveFormat format =
        switch (formatName) {
          case "zip" -> ArchiveFormat.ZIP;
          case "tar" -> ArchiveFormat.TAR;
          default ->
              throw badRequest("format", Message.of("error.not-a-format", "value", formatName));
        };
    String name = lastPart(path, job);
    downloads.begin(request.caller().userId());
    WorkPools.FILES.<Void, IOException>run(
        () -> {
          directory(job, path).close();
          return null;
        });
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    String top = new String(bytes, StandardCharsets.ISO_8859_1);
    Reply.Stream body =
        sink -> {
          try (FileHandle root = WorkPools.FILES.resume(() -> directory(job, path))) {
            Reply.Sink watched = new WatchedSink(sink, request::isStillSignedIn, WatchedSink.EVERY);
            pack(root, top, format, watched);
          }
        };
    return FileDownload.attachment(Reply.of(200, body), name + "." + format.label())
        .with("Content-Type", format.contentType());
  }

  /** Only the packing occupies a thread of the pool, because the client may be slow. */
  private static void pack(FileHandle root, String name, ArchiveFormat format, Reply.Sink sink)
      throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (TreeArchive archive = new TreeArchive(root, name, format.packer(packed))) {
      boolean more = true;
      while (more) {
        more = WorkPools.FILES.resume(archive::step);
        if (packed.size() >= PIECE || !more) {
          sink.write(packed.toByteArray(), 0, packed.size());
          packed.reset();
        }
      }
    }
  }

  private FileHandle directory(Job job, String path) throws IOException {
    FileHandle directory = find(job, path).orElseThrow(() -> missing(path));
    if (directory.facts().kind() != FileHandle.Kind.DIRECTORY) {
      directory.close();
      throw new AppException(ErrorCode.CONFLICT, Message.of("error.not-a-directory", "path", path));
    }
    return directory;
  }

  /** Returns the file name of a download; never contains a directory, regardless of the path. */
  private static String lastPart(String path, Job job) {
    int end = path.length();
    while (end > 0 && path.charAt(end - 1) == '/') {
      end--;
    }
    String last = path.substring(path.lastIndexOf('/', end - 1) + 1, end);
    return last.chars().allMatch(letter -> letter == '.') ? job.name() : last;
  }

  /** Returns the requested path. There is no file at a path that is longer than the limit. */
  private static String path(Request request) {
    String path = request.query("path").orElse("");
    if (path.length() > MAX_PATH_LENGTH) {
      throw missing(path.substring(0, MAX_PATH_LENGTH));
    }
    return path;
  }

  private static int limit(Request request, List<Problem> problems) {
    String text = request.query("limit").orElse(String.valueOf(DEFAULT_LIMIT));
    if (text.matches("[1-9][0-9]{0,3}") && Integer.parseInt(text) <= MAX_PAGE_SIZE) {
      return Integer.parseInt(text);
    }
    Message fault = Message.of("error.not-in-range", "value", text).with("from", 1);
    problems.add(Problem.at("limit", fault.with("to", MAX_PAGE_SIZE)));
    return DEFAULT_LIMIT;
  }

  private static String name(String text, List<Problem> problems) {
    try {
      return new String(Base64.getUrlDecoder().decode(text), StandardCharsets.ISO_8859_1);
    } catch (IllegalArgumentException e) {
      problems.add(Problem.at("after", Message.of("error.not-a-page", "value", text)));
      return "";
    }
  }

  private static void refuse(List<Problem> problems) {
    if (!problems.isEmpty()) {
      throw new AppException(ErrorCode.BAD_REQUEST, Message.of("error.bad-query"), problems);
    }
  }

  private static AppException badRequest(String parameter, Message fault) {
    return new AppException(
        ErrorCode.BAD_REQUEST,
        Message.of("error.bad-query"),
        List.of(Problem.at(parameter, fault)));
  }

  private static AppException missing(String path) {
    return new AppException(ErrorCode.NOT_FOUND, Message.of("error.no-such-file", "path", path));
  }

  private static AppException unreadable(String path) {
    return new AppException(ErrorCode.FORBIDDEN, Message.of("error.file-unreadable", "path", path));
  }
}
