package dev.trainyard.cli.team;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.PlainText;
import dev.trainyard.cli.terminal.Table;
import dev.trainyard.cli.terminal.Table.Cell;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code groups}: manages user groups and their permissions. */
@picocli.CommandLine.Command(name = "groups")
public final class GroupsCommand extends Command {
  public GroupsCommand(Session session) {
    super(session);
  }

  /** Options for the properties of a group. */
  static final class Properties {
    @Option(names = "--description", paramLabel = "TEXT", descriptionKey = "group-description")
    private String description;

    @Option(names = "--external-name", paramLabel = "TEXT", descriptionKey = "group-external")
    private String externalName;

    @Option(names = "--admin", negatable = true, descriptionKey = "group-admin")
    private Boolean admin;

    @Option(names = "--share-jobs", negatable = true, descriptionKey = "group-share-jobs")
    private Boolean sharesJobs;

    @Option(names = "--vc", paramLabel = "VC", descriptionKey = "group-vc")
    private List<String> clusters;

    @Option(names = "--storage", paramLabel = "STORAGE", descriptionKey = "group-storage")
    private List<String> storages;

    @Mixin private UserLimitOptions limits;

    private Map<String, Object> fields(Session session) {
      Map<String, Object> fields = new LinkedHashMap<>();
      if (description != null) {
        fields.put("description", description);
      }
      if (externalName != null) {
        fields.put("externalName", externalName);
      }
      if (admin != null) {
        fields.put("admin", admin);
      }
      if (sharesJobs != null) {
        fields.put("sharesJobs", sharesJobs);
      }
      if (clusters != null) {
        fields.put("virtualClusters", NameListParser.parse(clusters));
      }
      if (storages != null) {
        fields.put("storages", NameListParser.parse(storages));
      }
      Map<String, Object> limitFields = limits.fields(session);
      if (!limitFields.isEmpty()) {
        fields.put("limits", limitFields);
      }
      return fields;
    }
  }

  @Override
  public Integer call() {
    Json response = api().read("/api/v3/groups");
    if (session().json()) {
      terminal().line(new Json(response.at("groups").value()).pretty());
      return ExitCode.OK;
    }
    Table table =
        new Table(
            List.of(
                text("cli.column.group"),
                text("cli.column.role"),
                text("cli.column.vcs"),
                text("cli.column.storages"),
                text("cli.column.description")));
    for (Json group : response.list("groups")) {
      table.addRow(
          Cell.of(group.string("name")),
          Cell.of(text(group.isTrue("admin") ? "cli.user.admin" : "cli.user.ordinary")),
          Cell.of(joinNames(group, "virtualClusters")),
          Cell.of(joinNames(group, "storages")),
          Cell.of(group.string("description")));
    }
    terminal().print(table.render(terminal()));
    return ExitCode.OK;
  }

  private static String joinNames(Json json, String name) {
    return String.join(
        ", ", json.list(name).stream().map(item -> String.valueOf(item.value())).toList());
  }

  @picocli.CommandLine.Command(name = "create")
  int create(
      @Parameters(paramLabel = "GROUP", descriptionKey = "group") String name,
      @Mixin Properties properties) {
    Map<String, Object> fields = properties.fields(session());
    fields.put("name", name);
    return report(api().post("/api/v3/groups", fields), "cli.groups.created", name);
  }

  @picocli.CommandLine.Command(name = "set")
  int set(
      @Parameters(paramLabel = "GROUP", descriptionKey = "group") String name,
      @Mixin Properties properties) {
    Map<String, Object> fields = properties.fields(session());
    if (fields.isEmpty()) {
      throw session().usageError("cli.wrong.nothing-to-set");
    }
    return report(api().patch(path(name), fields), "cli.groups.changed", name);
  }

  @picocli.CommandLine.Command(name = "rm")
  int remove(@Parameters(paramLabel = "GROUP", descriptionKey = "group") String name) {
    api().delete(path(name));
    return report(new Json(null), "cli.groups.removed", name);
  }

  @picocli.CommandLine.Command(name = "members")
  int members(@Parameters(paramLabel = "GROUP", descriptionKey = "group") String name) {
    Json response = api().read(path(name) + "/members");
    if (session().json()) {
      terminal().line(new Json(response.at("members").value()).pretty());
      return ExitCode.OK;
    }
    response
        .list("members")
        .forEach(member -> terminal().line(PlainText.of(String.valueOf(member.value()))));
    return ExitCode.OK;
  }

  @picocli.CommandLine.Command(name = "add")
  int add(
      @Parameters(paramLabel = "GROUP", descriptionKey = "group") String name,
      @Parameters(paramLabel = "USER", arity = "1..*", descriptionKey = "users")
          List<String> users) {
    for (String user : users) {
      api().put(path(name) + "/members/" + ApiClient.encode(user), Map.of());
    }
    return report(new Json(null), "cli.groups.added", name, users);
  }

  @picocli.CommandLine.Command(name = "remove")
  int removeMember(
      @Parameters(paramLabel = "GROUP", descriptionKey = "group") String name,
      @Parameters(paramLabel = "USER", arity = "1..*", descriptionKey = "users")
          List<String> users) {
    for (String user : users) {
      api().delete(path(name) + "/members/" + ApiClient.encode(user));
    }
    return report(new Json(null), "cli.groups.taken-out", name, users);
  }

  private int report(Json response, String code, String name) {
    return report(response, code, name, List.of());
  }

  private int report(Json response, String code, String name, List<String> users) {
    terminal()
        .line(
            session().json()
                ? (response.isPresent() ? response.pretty() : "{}")
                : text(code, "group", name, "users", String.join(", ", users)));
    return ExitCode.OK;
  }

  private static String path(String group) {
    return "/api/v3/groups/" + ApiClient.encode(group);
  }
}
