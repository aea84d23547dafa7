package dev.trainyard.cli.image;

import dev.trainyard.cli.ErrorReport;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Localizer;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.job.JobRun;
import dev.trainyard.cli.team.LimitParser;
import dev.trainyard.cli.terminal.Style;
import dev.trainyard.jobfile.dockerfile.Dockerfile;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Uploads a build directory and follows the job that builds an image from it. */
final class Build {
  /** Timeout of the upload; the server unpacks the archive before it responds. */
  private static final int UPLOAD_TIMEOUT_MILLIS = 600_000;

  private final Session session;
  private final Path directory;
  private final BuildOptions options;

  Build(Session session, String directory, BuildOptions options) {
    this.session = session;
    this.directory = Path.of(directory);
    this.options = options;
  }

  int run() throws InterruptedException {
    if (!Files.isDirectory(directory)) {
      throw badRequest(Message.of("cli.build.not-a-directory", "path", directory.toString()));
    }
    List<Problem> problems = validateDockerfile();
    if (!problems.isEmpty()) {
      return report(problems);
    }
    BuildContext buildContext = BuildContext.of(directory, options.file);
    buildContext.specialFiles().forEach(path -> note("cli.build.special", "path", path));
    Json job;
    try {
      job =
          session
              .api()
              .upload(
                  uploadPath(),
                  out -> buildContext.writeTo(out, this::showProgress),
                  UPLOAD_TIMEOUT_MILLIS);
    } catch (AppException e) {
      if (e.problems().isEmpty()) {
        throw e;
      }
      return report(e.problems());
    } finally {
      session.terminal().clearStatus();
    }
    if (options.detach || session.json()) {
      String name = job.string("user") + "~" + job.string("name");
      session
          .terminal()
          .line(
              session.json()
                  ? job.pretty()
                  : session.localizer().text("cli.submit.done", "job", name));
      return ExitCode.OK;
    }
    int code = JobRun.followToEnd(session, job);
    if (code == ExitCode.OK) {
      note("cli.build.done", "image", job.string("image"));
    }
    return code;
  }

  /** Validates the Dockerfile locally, before anything is uploaded. */
  private List<Problem> validateDockerfile() {
    Path file = directory.resolve(options.file);
    try {
      if (!Files.isRegularFile(file) || Files.size(file) > Dockerfile.MAX_LENGTH) {
        throw badRequest(Message.of("cli.build.no-dockerfile", "path", options.file));
      }
      byte[] bytes = Files.readAllBytes(file);
      Dockerfile.Parsed parsed = Dockerfile.parse(new String(bytes, StandardCharsets.UTF_8));
      parsed.warnings().forEach(warning -> note(warning));
      return parsed.problems();
    } catch (IOException e) {
      throw badRequest(
          Message.of("cli.build.unreadable", "path", file.toString())
              .with("detail", String.valueOf(e.getMessage())));
    }
  }

  private int report(List<Problem> problems) {
    problems.forEach(this::note);
    String summary =
        session
            .localizer()
            .text("cli.build.problems", "file", options.file, "count", problems.size());
    session.terminal().note(session.terminal().styledError(Style.BAD, summary));
    return ExitCode.FAILED;
  }

  private void note(Problem problem) {
    session.terminal().note(ErrorReport.formatProblem(session.localizer(), options.file, problem));
  }

  private void note(String code, String name, String value) {
    session.terminal().note(session.localizer().text(code, name, value));
  }

  private static AppException badRequest(Message message) {
    return new AppException(ErrorCode.BAD_REQUEST, message);
  }

  private void showProgress(long done, long total) {
    if (session.terminal().properties().errIsTerminal()) {
      session
          .terminal()
          .status(
              session
                  .localizer()
                  .text(
                      "cli.build.sending",
                      "done",
                      Localizer.bytes(done),
                      "total",
                      Localizer.bytes(total)));
    }
  }

  private String uploadPath() {
    StringBuilder path = new StringBuilder("/api/v3/image-builds?name=");
    path.append(ApiClient.encode(options.name))
        .append("&dockerfile=")
        .append(ApiClient.encode(options.file));
    options.arguments.forEach(pair -> path.append("&buildArg=").append(ApiClient.encode(pair)));
    if (options.push) {
      path.append("&push=true");
    }
    if (options.cpus != null) {
      path.append("&cpus=").append(options.cpus);
    }
    if (options.memory != null) {
      path.append("&memoryMB=").append(LimitParser.megabytes(session, "--memory", options.memory));
    }
    if (options.virtualCluster != null) {
      path.append("&virtualCluster=").append(ApiClient.encode(options.virtualCluster));
    }
    return path.toString();
  }
}
