package dev.trainyard.server.image;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.trainyard.engine.linux.IdRange;
import dev.trainyard.jobfile.dockerfile.BuildPlan;
import dev.trainyard.jobfile.dockerfile.Dockerfile;
import dev.trainyard.jobfile.dockerfile.PathPattern;
import dev.trainyard.model.AppException;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.ImageReference;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import dev.trainyard.model.Ulid;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.BodyLimit;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Json;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.job.JobService;
import dev.trainyard.server.job.JobView;
import dev.trainyard.server.work.WorkPools;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.ToIntFunction;

/**
 * {@code POST /api/v3/image-builds}: receives a build context as an archive and submits a job that
 * builds an image from this context.
 */
final class BuildRoutes {
  private static final String ROLE = "build";
  private static final String DOCKERFILE = "Dockerfile";
  private static final long MAX_CPUS = 100_000;
  private static final long MAX_MEMORY_MB = 1L << 30;

  private final Optional<ImageBuilds> builds;
  private final String engine;
  private final JobService jobs;
  private final DataSize limit;
  private final Runnable requireSpace;
  private final ToIntFunction<Caller> idRanges;
  private final Ulid ids;

  /**
   * @param builds empty if the engine does not support images
   * @param limit maximum size of the request body, and maximum total size of the files in it
   * @param requireSpace throws if the disk is nearly full
   * @param idRanges returns the number of a user's ID range
   */
  BuildRoutes(
      Optional<ImageBuilds> builds,
      String engine,
      JobService jobs,
      DataSize limit,
      Runnable requireSpace,
      ToIntFunction<Caller> idRanges,
      InstantSource clock) {
    this.builds = builds;
    this.engine = engine;
    this.jobs = jobs;
    this.limit = limit;
    this.requireSpace = requireSpace;
    this.idRanges = idRanges;
    this.ids = new Ulid(clock);
  }

  void addTo(Routes routes) {
    routes.add("POST", "/api/v3/image-builds", Access.JOBS, BodyLimit.streamed(limit), this::build);
  }

  private Reply build(Request request) throws IOException {
    ImageBuilds imageBuilds = builds.orElseThrow(() -> ImageFaults.noImages(engine));
    BuildQuery query = BuildQuery.read(request);
    Caller caller = request.caller();
    ImageReference reference = imageBuilds.localImages().target(caller, query.name(), query.push());
    requireSpace.run();
    String directory = ids.next();
    try (ContextBudget.Upload upload = imageBuilds.begin(caller.userId(), directory)) {
      boolean submitted = false;
      try {
        receive(request, imageBuilds.create(directory), upload);
        JobService.Submission submission =
            submit(request, query, reference, imageBuilds, directory);
        submitted = true;
        Map<String, Object> view = new LinkedHashMap<>(JobView.submission(submission));
        view.put("image", reference.familiarName());
        return Reply.of(201, view);
      } finally {
        imageBuilds.end(directory, submitted);
      }
    }
  }

  private void receive(Request request, Path root, ContextBudget.Upload upload) throws IOException {
    int owner = IdRange.of(idRanges.applyAsInt(request.caller())).base();
    OptionalInt fileOwner = isRoot() ? OptionalInt.of(owner) : OptionalInt.empty();
    unpack(new ContextArchive(root, limit, fileOwner, requireSpace, upload::reserve), request);
  }

  private JobService.Submission submit(
      Request request,
      BuildQuery query,
      ImageReference reference,
      ImageBuilds imageBuilds,
      String directory)
      throws IOException {
    Caller caller = request.caller();
    ContextDirectory files = imageBuilds.context(directory);
    String text = dockerfile(files, query.file());
    Dockerfile dockerfile = WorkPools.FILES.resume(() -> parseAndCheck(text, query, files));
    ImageBuild build =
        new ImageBuild(reference, query.push(), caller.admin(), text, query.arguments(), directory);
    return jobs.submit(
        caller,
        job(query, reference, dockerfile, text),
        true,
        spec -> spec.withExtras(spec.extras().asImageBuild()),
        (handle, job) -> ImageBuildStore.insert(handle, job, build));
  }

  private static boolean isRoot() throws IOException {
    // Follows the link, because the link itself always belongs to root.
    return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
  }

  private static void unpack(ContextArchive archive, Request request) {
    try {
      archive.unpack(request.stream());
    } catch (IOException e) {
      String detail = String.valueOf(e.getMessage());
      if (detail.contains("No space left on device") || detail.contains("Disk quota exceeded")) {
        // The cause is the disk, not the archive.
        throw new AppException(ErrorCode.DISK_FULL, Message.of("error.disk-full"));
      }
      throw ContextArchive.badRequest(Message.of("error.context-broken", "detail", detail));
    }
  }

  private static String dockerfile(ContextDirectory files, String path) throws IOException {
    byte[] bytes =
        files
            .read(PathPattern.clean(path), Dockerfile.MAX_LENGTH)
            .orElseThrow(
                () -> ContextArchive.badRequest(Message.of("error.no-dockerfile", "path", path)));
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static Dockerfile parseAndCheck(String text, BuildQuery query, ContextDirectory files) {
    Dockerfile.Parsed parsed = Dockerfile.parse(text);
    List<Problem> problems = new ArrayList<>(parsed.problems());
    parsed
        .dockerfile()
        .ifPresent(
            file -> {
              problems.addAll(
                  BuildPlan.of(file, query.arguments(), Optional.empty(), files).problems());
              for (String name : file.undeclaredArguments(query.arguments().keySet())) {
                problems.add(
                    Problem.at("buildArg", Message.of("error.build-arg-unknown", "name", name)));
              }
              if (ImageReference.parse(file.baseImage(query.arguments())).isEmpty()) {
                problems.add(
                    Problem.at(
                        "FROM",
                        Message.of(
                            "error.build-base", "image", file.baseImage(query.arguments()))));
              }
            });
    if (!problems.isEmpty()) {
      throw new AppException(
          ErrorCode.BAD_REQUEST,
          Message.of("error.bad-dockerfile", "count", problems.size()),
          problems);
    }
    return parsed.dockerfile().orElseThrow();
  }

  /** Creates the job file: base image, resources, and the Dockerfile as the command. */
  private static String job(
      BuildQuery query, ImageReference reference, Dockerfile dockerfile, String text) {
    String familiarName = reference.familiarName();
    String lastComponent = familiarName.substring(familiarName.lastIndexOf('/') + 1);
    Map<String, Object> role = new LinkedHashMap<>();
    role.put("name", ROLE);
    role.put("taskNumber", 1);
    role.put("cpuNumber", query.cpus());
    role.put("memoryMB", query.memory());
    role.put("command", text);
    Map<String, Object> job = new LinkedHashMap<>();
    job.put("jobName", "build-" + lastComponent.replaceAll("[^A-Za-z0-9._-]", "-"));
    job.put("image", dockerfile.baseImage(query.arguments()));
    job.put("virtualCluster", query.virtualCluster());
    job.put("retryCount", 0);
    job.put("taskRoles", List.of(role));
    try {
      return Json.MAPPER.writeValueAsString(job);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The query parameters of a build request. */
  private record BuildQuery(
      String name,
      String file,
      boolean push,
      Map<String, String> arguments,
      long cpus,
      long memory,
      String virtualCluster) {

    private static BuildQuery read(Request request) {
      List<Problem> problems = new ArrayList<>();
      Map<String, String> arguments = new LinkedHashMap<>();
      for (String pair : request.queries("buildArg")) {
        int equals = pair.indexOf('=');
        if (equals <= 0) {
          problems.add(Problem.at("buildArg", Message.of("error.build-arg", "found", pair)));
        } else {
          arguments.put(pair.substring(0, equals), pair.substring(equals + 1));
        }
      }
      String name = request.query("name").orElse("");
      if (name.isEmpty()) {
        problems.add(Problem.at("name", Message.of("error.field-missing")));
      }
      boolean push = request.query("push").map("true"::equals).orElse(false);
      long cpus = number(request, "cpus", 1, MAX_CPUS, problems);
      long memory = number(request, "memoryMB", 1024, MAX_MEMORY_MB, problems);
      if (!problems.isEmpty()) {
        throw new AppException(ErrorCode.BAD_REQUEST, Message.of("error.bad-query"), problems);
      }
      return new BuildQuery(
          name,
          request.query("dockerfile").orElse(DOCKERFILE),
          push,
          arguments,
          cpus,
          memory,
          request.query("virtualCluster").orElse("default"));
    }

    private static long number(
        Request request, String name, long defaultValue, long max, List<Problem> problems) {
      Optional<String> text = request.query(name);
      if (text.isEmpty()) {
        return defaultValue;
      }
      if (!text.get().matches("[1-9]\\d{0,11}") || Long.parseLong(text.get()) > max) {
        problems.add(Problem.at(name, Message.of("error.field-range", "from", 1).with("to", max)));
        return defaultValue;
      }
      return Long.parseLong(text.get());
    }
  }
}
