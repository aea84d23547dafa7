package dev.trainyard.cli.image;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.PlainText;
import dev.trainyard.cli.terminal.Table;
import dev.trainyard.cli.terminal.Table.Cell;
import dev.trainyard.cli.user.SecretReader;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code registry}: manages image registries and logins, and lists their contents. */
@picocli.CommandLine.Command(name = "registry")
public final class RegistryCommand extends Command {
  private static final String REGISTRIES = "/api/v3/registries";
  private static final String LOGINS = "/api/v3/registry-logins";

  public RegistryCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    return list();
  }

  @picocli.CommandLine.Command(name = "ls")
  int list() {
    Json response = api().read(REGISTRIES);
    if (session().json()) {
      terminal().line(new Json(response.at("registries").value()).pretty());
      return ExitCode.OK;
    }
    Table table =
        new Table(
            List.of(
                text("cli.column.registry"),
                text("cli.column.protocol"),
                text("cli.column.groups"),
                text("cli.column.description")));
    for (Json registry : response.list("registries")) {
      table.addRow(
          Cell.of(registry.string("host")),
          Cell.of(registry.isTrue("plainHttp") ? "http" : "https"),
          Cell.of(joinValues(registry.list("groups"))),
          Cell.of(registry.string("description")));
    }
    terminal().print(table.render(terminal()));
    return ExitCode.OK;
  }

  private static String joinValues(List<Json> list) {
    return list.stream().map(text -> String.valueOf(text.value())).collect(Collectors.joining(","));
  }

  @picocli.CommandLine.Command(name = "add")
  int add(
      @Parameters(paramLabel = "HOST", descriptionKey = "registry") String host,
      @Option(names = "--plain-http") boolean plainHttp,
      @Option(names = "--description", paramLabel = "TEXT") String description,
      @Option(names = "--group", paramLabel = "GROUP", split = ",") List<String> groups) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("host", host);
    fields.put("plainHttp", plainHttp);
    fields.put("description", description == null ? "" : description);
    fields.put("groups", groups == null ? List.of() : groups);
    return report(api().post(REGISTRIES, fields), "cli.registry.added", host);
  }

  @picocli.CommandLine.Command(name = "rm")
  int remove(@Parameters(paramLabel = "HOST", descriptionKey = "registry") String host) {
    api().delete(REGISTRIES + "/" + ApiClient.encode(host));
    return report(new Json(Map.of()), "cli.registry.removed", host);
  }

  @picocli.CommandLine.Command(name = "login")
  int login(
      @Parameters(paramLabel = "HOST", descriptionKey = "registry") String host,
      @Option(
              names = {"-u", "--username"},
              paramLabel = "USER",
              required = true)
          String user,
      @Option(names = "--password-stdin") boolean passwordStdin,
      @Option(names = "--group", paramLabel = "GROUP") String group) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("registry", host);
    fields.put("username", user);
    fields.put(
        "password", new SecretReader(session(), passwordStdin).read("cli.registry.password", user));
    if (group != null) {
      fields.put("group", group);
    }
    return report(api().post(LOGINS, fields), "cli.registry.logged-in", host);
  }

  @picocli.CommandLine.Command(name = "logins")
  int logins() {
    Json response = api().read(LOGINS);
    if (session().json()) {
      terminal().line(new Json(response.at("logins").value()).pretty());
      return ExitCode.OK;
    }
    Table table =
        new Table(
            List.of(
                text("cli.column.registry"), text("cli.column.user"), text("cli.column.group")));
    for (Json login : response.list("logins")) {
      table.addRow(
          Cell.of(login.string("registry")),
          Cell.of(login.string("username")),
          Cell.of(login.find("group").orElse("")));
    }
    terminal().print(table.render(terminal()));
    return ExitCode.OK;
  }

  @picocli.CommandLine.Command(name = "logout")
  int logout(
      @Parameters(paramLabel = "HOST", descriptionKey = "registry") String host,
      @Option(names = "--group", paramLabel = "GROUP") String group) {
    String groupName = group == null ? "" : group;
    Json matchingLogin =
        api().read(LOGINS).list("logins").stream()
            .filter(login -> login.string("registry").equals(host))
            .filter(login -> login.find("group").orElse("").equals(groupName))
            .findFirst()
            .orElseThrow(
                () ->
                    new AppException(
                        ErrorCode.NOT_FOUND, Message.of("error.no-registry-login", "id", host)));
    api().delete(LOGINS + "/" + ApiClient.encode(matchingLogin.string("id")));
    return report(new Json(Map.of()), "cli.registry.logged-out", host);
  }

  @picocli.CommandLine.Command(name = "repositories")
  int repositories(@Parameters(paramLabel = "HOST", descriptionKey = "registry") String host) {
    return printAllPages(
        REGISTRIES + "/" + ApiClient.encode(host) + "/repositories?", "repositories");
  }

  @picocli.CommandLine.Command(name = "tags")
  int tags(
      @Parameters(index = "0", paramLabel = "HOST", descriptionKey = "registry") String host,
      @Parameters(index = "1", paramLabel = "REPOSITORY", descriptionKey = "repository")
          String repository) {
    String path =
        REGISTRIES
            + "/"
            + ApiClient.encode(host)
            + "/tags?repository="
            + ApiClient.encode(repository);
    return printAllPages(path + "&", "tags");
  }

  /** Prints all pages of a list of names. */
  private int printAllPages(String path, String field) {
    List<Object> names = new ArrayList<>();
    String cursor = "";
    do {
      Json page = api().read(path + (cursor.isEmpty() ? "" : "after=" + ApiClient.encode(cursor)));
      page.list(field).forEach(name -> names.add(name.value()));
      String next = page.find("next").orElse("");
      cursor = next.equals(cursor) ? "" : next;
    } while (!cursor.isEmpty());
    if (session().json()) {
      terminal().line(new Json(names).pretty());
    } else {
      names.forEach(name -> terminal().line(PlainText.of(String.valueOf(name))));
    }
    return ExitCode.OK;
  }

  private int report(Json response, String code, String host) {
    terminal().line(session().json() ? response.pretty() : text(code, "registry", host));
    return ExitCode.OK;
  }
}
