package dev.trainyard.cli.user;

import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.Table;
import dev.trainyard.cli.terminal.Table.Cell;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A CSV file of users that is sent to the server. */
record UserFile(Session session, String file) {
  /** Timeout of the upload; the server hashes every password, which is slow by design. */
  private static final int UPLOAD_TIMEOUT_MILLIS = 600_000;

  int send(boolean dryRun) {
    String path = "/api/v3/users/import" + (dryRun ? "?dryRun=true" : "");
    Json response = session.api().send("POST", path, read(), UPLOAD_TIMEOUT_MILLIS);
    if (session.json()) {
      session.terminal().line(response.pretty());
      return ExitCode.OK;
    }
    List<Json> users = response.list("users");
    String code = dryRun ? "cli.user.import.dry" : "cli.user.import.done";
    session.terminal().line(session.words().say(code, "count", users.size()));
    List<Json> usersWithPassword =
        users.stream().filter(user -> user.find("password").isPresent()).toList();
    if (!usersWithPassword.isEmpty()) {
      session.terminal().line(session.words().say("cli.user.import.passwords"));
      Table table =
          new Table(
              List.of(
                  session.words().say("cli.column.user"),
                  session.words().say("cli.column.password")));
      usersWithPassword.forEach(
          user -> table.addRow(Cell.of(user.string("name")), Cell.of(user.string("password"))));
      session.terminal().print(table.render(session.terminal()));
    }
    return ExitCode.OK;
  }

  private byte[] read() {
    try {
      return file.equals("-")
          ? session.environment().in().readAllBytes()
          : Files.readAllBytes(Path.of(file));
    } catch (IOException e) {
      throw new AppException(
          ErrorCode.BAD_REQUEST,
          Message.of("cli.user.import.unreadable", "file", file)
              .with("detail", String.valueOf(e.getMessage())));
    }
  }
}
