package dev.trainyard.cli.job;

import dev.trainyard.cli.ErrorReport;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.PlainText;
import dev.trainyard.cli.terminal.Style;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Submits a job file and reports its problems. */
final class Submission {
  /**
   * Maximum size of a job file. This is far above the limit of the server and prevents a dataset
   * from being read into memory by mistake.
   */
  private static final int MAX_FILE_SIZE = 16 << 20;

  private final Session session;
  private final String file;

  Submission(Session session, String file) {
    this.session = session;
    this.file = file;
  }

  byte[] read() {
    try (InputStream in = file.equals("-") ? session.environment().in() : open()) {
      byte[] text = in.readNBytes(MAX_FILE_SIZE + 1);
      if (text.length > MAX_FILE_SIZE) {
        throw new AppException(ErrorCode.TOO_LARGE, Message.of("cli.file-too-large", "file", file));
      }
      return text;
    } catch (NoSuchFileException e) {
      throw new AppException(ErrorCode.BAD_REQUEST, Message.of("cli.no-file", "file", file));
    } catch (IOException e) {
      throw new AppException(
          ErrorCode.BAD_REQUEST,
          Message.of("cli.unreadable", "file", file)
              .with("detail", String.valueOf(e.getMessage())));
    }
  }

  private InputStream open() throws IOException {
    Path path = Path.of(file);
    if (Files.isDirectory(path)) {
      throw new AppException(ErrorCode.BAD_REQUEST, Message.of("cli.is-folder", "file", file));
    }
    return Files.newInputStream(path);
  }

  /**
   * Returns the accepted job, or an empty result after all problems were reported.
   *
   * @param virtualCluster overrides the virtual cluster of the file, unless it is null
   */
  Optional<Json> send(byte[] text, boolean suffix, String virtualCluster) {
    try {
      List<String> parameters = new ArrayList<>();
      if (suffix) {
        parameters.add("suffix=true");
      }
      if (virtualCluster != null) {
        parameters.add("virtualCluster=" + ApiClient.encode(virtualCluster));
      }
      String query = parameters.isEmpty() ? "" : "?" + String.join("&", parameters);
      Json job = session.api().send("POST", "/api/v3/jobs" + query, text);
      job.list("warnings").forEach(this::warn);
      return Optional.of(job);
    } catch (AppException e) {
      if (e.code() != ErrorCode.INVALID_JOB || e.problems().isEmpty()) {
        throw e;
      }
      for (Problem problem : e.problems()) {
        session
            .terminal()
            .note(ErrorReport.formatProblem(session.localizer(), displayName(), problem));
      }
      String summary =
          session
              .localizer()
              .text("cli.submit.refused", "n", e.problems().size(), "file", displayName());
      session.terminal().note(session.terminal().styledError(Style.BAD, summary));
      return Optional.empty();
    }
  }

  private void warn(Json warning) {
    String text =
        new JobText(session.localizer(), warning)
            .message(warning, "message", "code", "params")
            .orElse(warning.string("code"));
    String path = PlainText.of(warning.string("path"));
    String sentence = session.localizer().text("cli.submit.warning", "text", text);
    session
        .terminal()
        .note(path.isEmpty() ? sentence : displayName() + " " + path + ": " + sentence);
  }

  private String displayName() {
    return file.equals("-") ? "<stdin>" : file;
  }
}
