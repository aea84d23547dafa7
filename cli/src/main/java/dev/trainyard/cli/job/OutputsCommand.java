package dev.trainyard.cli.job;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.FileTable;
import dev.trainyard.cli.Localizer;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.Json;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code outputs JOB}: lists or downloads the saved output of a job. */
@picocli.CommandLine.Command(name = "outputs")
public final class OutputsCommand extends Command {
  private static final int READ_TIMEOUT_MILLIS = 60_000;
  private static final int BUFFER_SIZE = 64 * 1024;

  @Parameters(index = "0", paramLabel = "JOB", descriptionKey = "job")
  private String job;

  @Option(names = "--path", paramLabel = "DIR", defaultValue = "")
  private String path;

  @Option(names = "--get", paramLabel = "PATH")
  private String filePath;

  @Option(names = "--all")
  private boolean all;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE")
  private String output;

  @Option(names = "--format", paramLabel = "tar|zip", defaultValue = "tar")
  private String format;

  public OutputsCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    if (all) {
      return download(
          archivePath(""), fileName(job.substring(job.indexOf('~') + 1)) + "." + format);
    }
    if (filePath == null) {
      return list();
    }
    try {
      return download(
          outputsPath() + "/file?path=" + ApiClient.encode(filePath), fileName(filePath));
    } catch (AppException e) {
      if (e.code() != ErrorCode.CONFLICT || !e.text().code().equals("error.not-a-file")) {
        throw e;
      }
      return download(archivePath(filePath), fileName(filePath) + "." + format);
    }
  }

  private String outputsPath() {
    return JobPath.of(job) + "/outputs";
  }

  private String archivePath(String directory) {
    return outputsPath()
        + "/archive?format="
        + ApiClient.encode(format)
        + "&path="
        + ApiClient.encode(directory);
  }

  private int list() {
    List<Json> files = new ArrayList<>();
    String afterParameter = "";
    do {
      Json page =
          api().read(outputsPath() + "?limit=1000&path=" + ApiClient.encode(path) + afterParameter);
      files.addAll(page.list("files"));
      afterParameter = page.find("next").map(next -> "&after=" + next).orElse("");
    } while (!afterParameter.isEmpty());
    if (files.isEmpty() && path.isEmpty() && !session().json()) {
      terminal().note(text("cli.outputs.none", "job", job));
      return ExitCode.OK;
    }
    FileTable.print(session(), files);
    return ExitCode.OK;
  }

  /**
   * Returns the last segment of a name. The owner of the job chooses the name, so the rest must not
   * select a directory for the file.
   */
  private static String fileName(String name) {
    String trimmed = name.replaceAll("/+$", "");
    String last = trimmed.substring(trimmed.lastIndexOf('/') + 1);
    return last.isEmpty() || last.matches("\\.+") ? "output" : last;
  }

  private int download(String requestPath, String name) {
    try (ApiClient.Stream stream = api().open(requestPath, READ_TIMEOUT_MILLIS)) {
      if ("-".equals(output)) {
        copyOut(stream);
        return ExitCode.OK;
      }
      return store(stream, Path.of(output == null ? name : output), output != null);
    } catch (IOException e) {
      throw failure("cli.outputs.broken", "", e);
    }
  }

  private void copyOut(ApiClient.Stream stream) throws IOException {
    byte[] buffer = new byte[BUFFER_SIZE];
    for (int n = stream.bytes().read(buffer); n >= 0; n = stream.bytes().read(buffer)) {
      terminal().writeUnfiltered(buffer, n);
    }
  }

  /**
   * Stores a download; deletes the file if the download fails, because a partial file would look
   * complete.
   */
  private int store(ApiClient.Stream stream, Path file, boolean mayOverwrite) throws IOException {
    long size;
    try (OutputStream out = create(file, mayOverwrite)) {
      size = stream.bytes().transferTo(out);
    } catch (IOException e) {
      Files.deleteIfExists(file);
      throw e;
    }
    if (session().json()) {
      terminal().line(new Json(java.util.Map.of("file", file.toString(), "size", size)).pretty());
    } else {
      terminal().line(text("cli.outputs.stored", "file", file, "size", Localizer.bytes(size)));
    }
    return ExitCode.OK;
  }

  private OutputStream create(Path file, boolean mayOverwrite) {
    try {
      return mayOverwrite
          ? Files.newOutputStream(file)
          : Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    } catch (FileAlreadyExistsException e) {
      throw failure("cli.outputs.exists", file.toString(), e);
    } catch (IOException e) {
      throw failure("cli.outputs.cannot-write", file.toString(), e);
    }
  }

  private static AppException failure(String code, String file, IOException cause) {
    Message message = Message.of(code, "detail", String.valueOf(cause.getMessage()));
    return new AppException(
        ErrorCode.CONFLICT, file.isEmpty() ? message : message.with("file", file));
  }
}
