package dev.trainyard.cli.user;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.Table;
import dev.trainyard.cli.terminal.Table.Cell;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ssh-keys}: manages the public SSH keys of the user. */
@picocli.CommandLine.Command(name = "ssh-keys")
public final class SshKeysCommand extends Command {
  private static final String PATH = "/api/v3/users/me/ssh-keys";
  private static final int MAX_KEY_SIZE = 16 * 1024;

  public SshKeysCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    Json response = api().read(PATH);
    if (session().json()) {
      terminal().line(new Json(response.at("sshKeys").value()).pretty());
      return ExitCode.OK;
    }
    Table table =
        new Table(
            List.of(
                text("cli.column.id"),
                text("cli.column.name"),
                text("cli.column.fingerprint"),
                text("cli.column.created")));
    for (Json key : response.list("sshKeys")) {
      table.addRow(
          Cell.of(key.string("id")),
          Cell.of(key.string("title")),
          Cell.of(key.string("fingerprint")),
          Cell.of(localizer().ago(key.number("created"), System.currentTimeMillis())));
    }
    terminal().print(table.render(terminal()));
    return ExitCode.OK;
  }

  @picocli.CommandLine.Command(name = "add")
  int add(
      @Parameters(paramLabel = "FILE", descriptionKey = "ssh-key-file") String file,
      @Option(names = "--title", paramLabel = "TITLE") String title) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("key", readPublicKey(file));
    if (title != null) {
      fields.put("title", title);
    }
    Json added = api().post(PATH, fields);
    terminal()
        .line(
            session().json()
                ? added.pretty()
                : text("cli.ssh-keys.added", "fingerprint", added.string("fingerprint")));
    return ExitCode.OK;
  }

  @picocli.CommandLine.Command(name = "rm")
  int remove(@Parameters(paramLabel = "ID", descriptionKey = "ssh-key-id") String id) {
    api().delete(PATH + "/" + ApiClient.encode(id));
    terminal().line(session().json() ? "{}" : text("cli.ssh-keys.removed", "id", id));
    return ExitCode.OK;
  }

  /** Reads a public key; a private key is rejected locally and never sent. */
  private String readPublicKey(String file) {
    try {
      byte[] bytes =
          file.equals("-")
              ? session().environment().in().readNBytes(MAX_KEY_SIZE)
              : Files.readAllBytes(Path.of(file));
      String text = new String(bytes, StandardCharsets.UTF_8);
      if (text.contains("PRIVATE KEY")) {
        throw new AppException(
            ErrorCode.BAD_REQUEST, Message.of("cli.ssh-keys.private", "file", file));
      }
      return text.strip();
    } catch (IOException e) {
      throw new AppException(
          ErrorCode.BAD_REQUEST,
          Message.of("cli.ssh-keys.unreadable", "file", file)
              .with("detail", String.valueOf(e.getMessage())));
    }
  }
}
