package dev.trainyard.cli.job;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ErrorReport;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.PlainText;
import dev.trainyard.cli.terminal.Style;
import dev.trainyard.jobfile.JobFiles;
import dev.trainyard.jobfile.ParsedJob;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.JobFormat;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Parameters;

/** {@code check FILE|DIR}: validates job files locally. */
@picocli.CommandLine.Command(name = "check")
public final class CheckCommand extends Command {
  private static final List<String> EXTENSIONS = List.of(".json", ".jsonc", ".yaml", ".yml");

  @Parameters(paramLabel = "FILE|DIR", descriptionKey = "file")
  private String file;

  public CheckCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    Map<String, ParsedJob> results = new LinkedHashMap<>();
    if (file.equals("-") || !Files.isDirectory(Path.of(file))) {
      String name = file.equals("-") ? "<stdin>" : file;
      results.put(name, JobFiles.parse(new Submission(session(), file).read()));
    } else {
      Path directory = Path.of(file);
      for (Path path : findJobFiles(directory)) {
        byte[] text = new Submission(session(), path.toString()).read();
        results.put(directory.relativize(path).toString(), JobFiles.parse(text));
      }
    }
    if (session().json()) {
      List<Object> views = new ArrayList<>();
      results.forEach((name, job) -> views.add(toView(name, job)));
      terminal().line(new Json(views).pretty());
    } else {
      report(results);
    }
    boolean allValid = results.values().stream().allMatch(job -> job.problems().isEmpty());
    return allValid ? ExitCode.OK : ExitCode.FAILED;
  }

  /**
   * Returns the files in the directory and its subdirectories whose extension is that of a job
   * file, in sorted order.
   */
  private List<Path> findJobFiles(Path directory) {
    List<Path> files;
    try (Stream<Path> paths = Files.walk(directory)) {
      files =
          paths
              .filter(Files::isRegularFile)
              .filter(CheckCommand::hasJobFileExtension)
              .sorted()
              .toList();
    } catch (IOException e) {
      throw new AppException(
          ErrorCode.BAD_REQUEST,
          Message.of("cli.unreadable", "file", file).with("detail", e.getMessage()));
    }
    if (files.isEmpty()) {
      throw new AppException(
          ErrorCode.BAD_REQUEST, Message.of("cli.check.none", "folder", directory.toString()));
    }
    return files;
  }

  private static boolean hasJobFileExtension(Path path) {
    String name = path.getFileName().toString().toLowerCase(Locale.ROOT);
    return EXTENSIONS.stream().anyMatch(name::endsWith);
  }

  private Map<String, Object> toView(String name, ParsedJob job) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("file", name);
    view.put("valid", job.problems().isEmpty());
    view.put("format", job.format().map(JobFormat::label).orElse(null));
    view.put("problems", job.problems().stream().map(this::toView).toList());
    return view;
  }

  private Map<String, Object> toView(Problem problem) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("path", problem.path());
    view.put("message", localizer().text(problem.message()));
    view.put("line", problem.line());
    view.put("column", problem.column());
    return view;
  }

  private void report(Map<String, ParsedJob> results) {
    results.forEach(
        (name, job) -> {
          for (Problem problem : job.problems()) {
            terminal().line(ErrorReport.formatProblem(localizer(), name, problem));
          }
          for (Problem warning : job.warnings()) {
            String text = text("cli.submit.warning", "text", localizer().text(warning.message()));
            terminal().line(ErrorReport.position(name, warning) + PlainText.of(text));
          }
          if (job.problems().isEmpty()) {
            String format = job.format().map(JobFormat::label).orElse("");
            String validText = text("cli.check.valid", "file", name, "format", format);
            terminal().line(terminal().styled(Style.GOOD, PlainText.of(validText)));
          }
        });
    if (results.size() > 1) {
      long invalidCount =
          results.values().stream().filter(job -> !job.problems().isEmpty()).count();
      terminal().line(text("cli.check.summary", "files", results.size(), "bad", invalidCount));
    }
  }
}
