package dev.trainyard.cli.image;

import dev.trainyard.cli.ErrorReport;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.Sizes;
import dev.trainyard.cli.api.Api;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.job.JobRun;
import dev.trainyard.cli.team.Amounts;
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
  private static final int PATIENCE_MILLIS = 600_000;

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
      throw refused(Message.of("cli.build.not-a-directory", "path", directory.toString()));
    }
    List<Problem> problems = problems();
    if (!problems.isEmpty()) {
      return report(problems);
    }
    ContextPack pack = ContextPack.of(directory, options.file);
    pack.special().forEach(path -> note("cli.build.special", "path", path));
    Json job;
    try {
      job = session.api().upload(path(), out -> pack.writeTo(out, this::progress), PATIENCE_MILLIS);
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
              session.json() ? job.pretty() : session.words().say("cli.submit.done", "job", name));
      return ExitCode.OK;
    }
    int code = JobRun.toEnd(session, job);
    if (code == ExitCode.OK) {
      note("cli.build.done", "image", job.string("image"));
    }
    return code;
  }

  /** Validates the Dockerfile locally, before anything is uploaded. */
  private List<Problem> problems() {
    Path file = directory.resolve(options.file);
    try {
      if (!Files.isRegularFile(file) || Files.size(file) > Dockerfile.LONGEST) {
        throw refused(Message.of("cli.build.no-dockerfile", "path", options.file));
      }
      byte[] bytes = Files.readAllBytes(file);
      Dockerfile.Parsed parsed = Dockerfile.parse(new String(bytes, StandardCharsets.UTF_8));
      parsed.warnings().forEach(warning -> note(warning));
      return parsed.problems();
    } catch (IOException e) {
      throw refused(
          Message.of("cli.build.unreadable", "path", file.toString())
              .with("detail", String.valueOf(e.getMessage())));
    }
  }

  private int report(List<Problem> problems) {
    problems.forEach(this::note);
    String count =
        session.words().say("cli.build.problems", "file", options.file, "count", problems.size());
    session.terminal().note(session.terminal().styledError(Style.BAD, count));
    return ExitCode.FAILED;
  }

  private void note(Problem problem) {
    session.terminal().note(ErrorReport.problem(session.words(), options.file, problem));
  }

  private void note(String code, String name, String value) {
    session.terminal().note(session.words().say(code, name, value));
  }

  private static AppException refused(Message message) {
    return new AppException(ErrorCode.BAD_REQUEST, message);
  }

  private void progress(long done, long total) {
    if (session.terminal().look().errIsTerminal()) {
      session
          .terminal()
          .status(
              session
                  .words()
                  .say("cli.build.sending", "done", Sizes.of(done), "total", Sizes.of(total)));
    }
  }

  private String path() {
    StringBuilder path = new StringBuilder("/api/v3/image-builds?name=");
    path.append(Api.part(options.name)).append("&dockerfile=").append(Api.part(options.file));
    options.arguments.forEach(pair -> path.append("&buildArg=").append(Api.part(pair)));
    if (options.push) {
      path.append("&push=true");
    }
    if (options.cpus != null) {
      path.append("&cpus=").append(options.cpus);
    }
    if (options.memory != null) {
      path.append("&memoryMB=").append(Amounts.megabytes(session, "--memory", options.memory));
    }
    if (options.cluster != null) {
      path.append("&virtualCluster=").append(Api.part(options.cluster));
    }
    return path.toString();
  }
}
