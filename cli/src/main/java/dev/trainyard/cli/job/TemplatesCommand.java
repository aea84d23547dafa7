package dev.trainyard.cli.job;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Api;
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
    Json answer = api().read(PATH);
    if (session().json()) {
      terminal().line(new Json(answer.at("templates").value()).pretty());
      return ExitCode.OK;
    }
    Table table =
        new Table(
            List.of(say("cli.column.id"), say("cli.column.name"), say("cli.column.description")));
    for (Json one : answer.list("templates")) {
      String description =
          one.find("descriptionCode")
              .filter(words()::knows)
              .map(code -> say(code))
              .orElse(one.string("description"));
      table.row(Cell.of(one.string("id")), Cell.of(one.string("name")), Cell.of(description));
    }
    terminal().print(table.on(terminal()));
    return ExitCode.OK;
  }

  /** Prints the exact bytes of the file, so that the output can be stored or submitted. */
  @picocli.CommandLine.Command(name = "show")
  int show(@Parameters(paramLabel = "TEMPLATE", descriptionKey = "template") String wanted) {
    Json template = api().read(PATH + "/" + Api.part(id(wanted)));
    if (session().json()) {
      terminal().line(template.pretty());
      return ExitCode.OK;
    }
    String text = template.string("text");
    byte[] bytes = (text.endsWith("\n") ? text : text + "\n").getBytes(StandardCharsets.UTF_8);
    terminal().passOut(bytes, bytes.length);
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
    Optional<String> old = find(name, true);
    Json saved =
        old.isPresent()
            ? api().put(PATH + "/" + Api.part(old.get()), fields)
            : api().post(PATH, fields);
    terminal().line(session().json() ? saved.pretty() : say("cli.templates.saved", "name", name));
    return ExitCode.OK;
  }

  @picocli.CommandLine.Command(name = "rm")
  int remove(@Parameters(paramLabel = "TEMPLATE", descriptionKey = "template") String wanted) {
    api().delete(PATH + "/" + Api.part(id(wanted)));
    terminal().line(session().json() ? "{}" : say("cli.templates.removed", "name", wanted));
    return ExitCode.OK;
  }

  /**
   * Returns the ID of a template. Users refer to their own templates by name, which may contain
   * spaces; IDs are accepted too.
   */
  private String id(String wanted) {
    return find(wanted, false).orElse(wanted);
  }

  private Optional<String> find(String name, boolean own) {
    return api().read(PATH).list("templates").stream()
        .filter(one -> one.string("name").equals(name) && !(own && one.isTrue("builtIn")))
        .map(one -> one.string("id"))
        .findFirst();
  }
}
