package dev.trainyard.cli.job;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.Sizes;
import dev.trainyard.cli.api.Api;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.Table;
import dev.trainyard.cli.terminal.Table.Cell;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code outputs JOB}: lists or downloads the saved output of a job. */
@picocli.CommandLine.Command(name = "outputs")
public final class OutputsCommand extends Command {
  private static final int SILENCE_MILLIS = 60_000;
  private static final int PIECE = 64 * 1024;
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm");

  @Parameters(index = "0", paramLabel = "JOB", descriptionKey = "job")
  private String job;

  @Option(names = "--path", paramLabel = "DIR", defaultValue = "")
  private String path;

  @Option(names = "--get", paramLabel = "PATH")
  private String get;

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
      return download(archive(""), lastPart(job.substring(job.indexOf('~') + 1)) + "." + format);
    }
    if (get == null) {
      return list();
    }
    try {
      return download(outputs() + "/file?path=" + Api.part(get), lastPart(get));
    } catch (AppException e) {
      if (e.code() != ErrorCode.CONFLICT || !e.text().code().equals("error.not-a-file")) {
        throw e;
      }
      return download(archive(get), lastPart(get) + "." + format);
    }
  }

  private String outputs() {
    return JobPath.of(job) + "/outputs";
  }

  private String archive(String directory) {
    return outputs() + "/archive?format=" + Api.part(format) + "&path=" + Api.part(directory);
  }

  private int list() {
    List<Json> files = new ArrayList<>();
    String after = "";
    do {
      Json page = api().read(outputs() + "?limit=1000&path=" + Api.part(path) + after);
      files.addAll(page.list("files"));
      after = page.find("next").map(next -> "&after=" + next).orElse("");
    } while (!after.isEmpty());
    if (session().json()) {
      terminal().line(new Json(files.stream().map(Json::value).toList()).pretty());
      return ExitCode.OK;
    }
    if (files.isEmpty() && path.isEmpty()) {
      terminal().note(say("cli.outputs.none", "job", job));
      return ExitCode.OK;
    }
    Table table =
        new Table(
            List.of(say("cli.column.name"), say("cli.column.size"), say("cli.column.modified")));
    for (Json file : files) {
      String slash = file.string("kind").equals("directory") ? "/" : "";
      table.row(
          Cell.of(file.string("name") + slash),
          Cell.of(file.findLong("size").map(Sizes::of).orElse("-")),
          Cell.of(
              TIME.format(
                  Instant.ofEpochMilli(file.number("modified")).atZone(ZoneId.systemDefault()))));
    }
    terminal().print(table.on(terminal()));
    return ExitCode.OK;
  }

  /**
   * Returns the last segment, because the owner of the job chooses the name and it must not lead to
   * another directory.
   */
  private static String lastPart(String name) {
    String trimmed = name.replaceAll("/+$", "");
    String last = trimmed.substring(trimmed.lastIndexOf('/') + 1);
    return last.isEmpty() || last.matches("\\.+") ? "output" : last;
  }

  private int download(String from, String name) {
    try (Api.Stream stream = api().open(from, SILENCE_MILLIS)) {
      if ("-".equals(output)) {
        copyOut(stream);
        return ExitCode.OK;
      }
      return store(stream, Path.of(output == null ? name : output), output != null);
    } catch (IOException e) {
      throw failure("cli.outputs.broken", "", e);
    }
  }

  private void copyOut(Api.Stream stream) throws IOException {
    byte[] piece = new byte[PIECE];
    for (int n = stream.bytes().read(piece); n >= 0; n = stream.bytes().read(piece)) {
      terminal().passOut(piece, n);
    }
  }

  /** Stores a download; deletes the file if the download fails, because it would look complete. */
  private int store(Api.Stream stream, Path file, boolean named) throws IOException {
    long size;
    try (OutputStream out = create(file, named)) {
      size = stream.bytes().transferTo(out);
    } catch (IOException e) {
      Files.deleteIfExists(file);
      throw e;
    }
    if (session().json()) {
      terminal().line(new Json(java.util.Map.of("file", file.toString(), "size", size)).pretty());
    } else {
      terminal().line(say("cli.outputs.stored", "file", file, "size", Sizes.of(size)));
    }
    return ExitCode.OK;
  }

  private OutputStream create(Path file, boolean named) {
    try {
      return named
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
