package dev.trainyard.cli.file;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.FileTable;
import dev.trainyard.cli.Localizer;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Json;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code files}: lists and changes the files of the caller on the server. */
@picocli.CommandLine.Command(name = "files")
public final class FilesCommand extends Command {
  /** Timeout of requests that read a whole directory tree (usage and deletion). */
  private static final int TREE_TIMEOUT_MILLIS = 3_600_000;

  public FilesCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    return list("");
  }

  @picocli.CommandLine.Command(name = "ls")
  int list(
      @Parameters(
              paramLabel = ":PATH",
              arity = "0..1",
              defaultValue = "",
              descriptionKey = "remote-path")
          String path) {
    FileTable.print(session(), new RemoteFiles(api()).list(RemotePath.parse(path)));
    return ExitCode.OK;
  }

  @picocli.CommandLine.Command(name = "cat")
  int print(@Parameters(paramLabel = ":PATH", descriptionKey = "remote-path") String path) {
    try {
      new RemoteFiles(api()).read(RemotePath.parse(path), terminal()::writeUnfiltered);
      return ExitCode.OK;
    } catch (IOException e) {
      throw new AppException(
          ErrorCode.CONFLICT,
          Message.of("cli.files.broken", "detail", String.valueOf(e.getMessage())));
    }
  }

  @picocli.CommandLine.Command(name = "mkdir")
  int createDirectory(
      @Parameters(paramLabel = ":PATH", descriptionKey = "remote-path") String path) {
    RemotePath directory = RemotePath.parse(path);
    Json response =
        api()
            .post(
                "/api/v3/files/directory",
                Map.of("storage", directory.storage(), "path", directory.path()));
    return report(response, "cli.files.created", directory);
  }

  @picocli.CommandLine.Command(name = "mv")
  int move(
      @Parameters(index = "0", paramLabel = ":FROM", descriptionKey = "remote-path") String from,
      @Parameters(index = "1", paramLabel = ":TO", descriptionKey = "remote-path") String to,
      @Option(names = "--overwrite") boolean overwrite) {
    RemotePath source = RemotePath.parse(from);
    RemotePath target = RemotePath.parse(to);
    if (!source.storage().equals(target.storage())) {
      throw new AppException(ErrorCode.BAD_REQUEST, Message.of("cli.files.other-storage"));
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("storage", source.storage());
    fields.put("from", source.path());
    fields.put("to", target.path());
    fields.put("overwrite", overwrite);
    return report(api().post("/api/v3/files/move", fields), "cli.files.moved", target);
  }

  @picocli.CommandLine.Command(name = "rm")
  int remove(
      @Parameters(paramLabel = ":PATH", descriptionKey = "remote-path") String path,
      @Option(names = {"-r", "--recursive"}) boolean recursive) {
    RemotePath file = RemotePath.parse(path);
    api().send("DELETE", file.request("") + "&recursive=" + recursive, null, TREE_TIMEOUT_MILLIS);
    terminal().line(session().json() ? "{}" : text("cli.files.removed", "path", file.toString()));
    return ExitCode.OK;
  }

  @picocli.CommandLine.Command(name = "du")
  int usage(
      @Parameters(
              paramLabel = ":PATH",
              arity = "0..1",
              defaultValue = "",
              descriptionKey = "remote-path")
          String path) {
    Json usage =
        api().send("GET", RemotePath.parse(path).request("/usage"), null, TREE_TIMEOUT_MILLIS);
    terminal()
        .line(
            session().json()
                ? usage.pretty()
                : text(
                    "cli.files.usage",
                    "size",
                    Localizer.bytes(usage.number("bytes")),
                    "files",
                    usage.number("files"),
                    "directories",
                    usage.number("directories")));
    return ExitCode.OK;
  }

  private int report(Json response, String message, RemotePath path) {
    terminal().line(session().json() ? response.pretty() : text(message, "path", path.toString()));
    return ExitCode.OK;
  }
}
