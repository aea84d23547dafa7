package dev.trainyard.cli.job;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.Table;
import dev.trainyard.cli.terminal.Table.Cell;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code templates}: manages job templates. */
@picocli.CommandLine.Command(name = "templates")
public final class TemplatesCommand extends Command {
  private static final String PATH = "/api/v3/templates";

  public TemplatesCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    Json response = api().read(PATH);
    if (session().json()) {
      terminal().line(new Json(response.at("templates").value()).pretty());
      return ExitCode.OK;
    }
    Table table =
        new Table(
            List.of(
                text("cli.column.id"), text("cli.column.name"), text("cli.column.description")));
    for (Json entry : response.list("templates")) {
      table.addRow(
          Cell.of(entry.string("id")), Cell.of(entry.string("name")), Cell.of(description(entry)));
    }
    terminal().print(table.render(terminal()));
    return ExitCode.OK;
  }

  /** Prints the exact bytes of the file, so that the output can be stored or submitted. */
  @picocli.CommandLine.Command(name = "show")
  int show(@Parameters(paramLabel = "TEMPLATE", descriptionKey = "template") String nameOrId) {
    Json template = api().read(PATH + "/" + ApiClient.encode(resolveId(nameOrId)));
    if (session().json()) {
      terminal().line(template.pretty());
      return ExitCode.OK;
    }
    String text = template.string("text");
    byte[] bytes = (text.endsWith("\n") ? text : text + "\n").getBytes(StandardCharsets.UTF_8);
    terminal().writeUnfiltered(bytes, bytes.length);
    return ExitCode.OK;
  }

  @picocli.CommandLine.Command(name = "save")
  int save(
      @Parameters(index = "0", paramLabel = "NAME", descriptionKey = "template-name") String name,
      @Parameters(index = "1", paramLabel = "FILE", descriptionKey = "file") String file,
      @Option(names = "--description", paramLabel = "TEXT", defaultValue = "") String description) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", name);
    fields.put("description", description);
    fields.put("text", new String(new Submission(session(), file).read(), StandardCharsets.UTF_8));
    Optional<String> existingId = findId(name, true);
    Json saved =
        existingId.isPresent()
            ? api().put(PATH + "/" + ApiClient.encode(existingId.get()), fields)
            : api().post(PATH, fields);
    terminal().line(session().json() ? saved.pretty() : text("cli.templates.saved", "name", name));
    return ExitCode.OK;
  }

  @picocli.CommandLine.Command(name = "rm")
  int remove(@Parameters(paramLabel = "TEMPLATE", descriptionKey = "template") String nameOrId) {
    api().delete(PATH + "/" + ApiClient.encode(resolveId(nameOrId)));
    terminal().line(session().json() ? "{}" : text("cli.templates.removed", "name", nameOrId));
    return ExitCode.OK;
  }

  /**
   * Returns the ID of a template. Users refer to their own templates by name, which may contain
   * spaces; IDs are accepted too.
   */
  private String resolveId(String nameOrId) {
    return findId(nameOrId, false).orElse(nameOrId);
  }

  private Optional<String> findId(String name, boolean ownOnly) {
    return api().read(PATH).list("templates").stream()
        .filter(entry -> entry.string("name").equals(name) && !(ownOnly && entry.isTrue("builtIn")))
        .map(entry -> entry.string("id"))
        .findFirst();
  }
}
