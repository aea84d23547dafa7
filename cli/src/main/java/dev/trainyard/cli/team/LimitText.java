package dev.trainyard.cli.team;

import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.PlainText;
import java.util.List;

/** Formats the limits, usage and groups of a user. */
public final class LimitText {
  private static final List<String> USAGE_FIELDS =
      List.of(
          "runningJobs",
          "cpus",
          "memoryMB",
          "devices",
          "unfinishedJobs",
          "unfinishedTasks",
          "unfinishedFilesMB");

  private LimitText() {}

  public static String path(String user) {
    return "/api/v3/users/" + ApiClient.encode(user) + "/limits";
  }

  public static String format(Session session, Json limits) {
    return session.localizer().text("cli.limit.groups", "groups", joinNames(limits, "groups"))
        + "\n"
        + session.localizer().text("cli.limit.vcs", "vcs", joinNames(limits, "virtualClusters"))
        + "\n"
        + new UsageBars(session).format(limits.at("used"), limits.at("limits"), USAGE_FIELDS);
  }

  private static String joinNames(Json json, String name) {
    List<String> names =
        json.list(name).stream().map(item -> String.valueOf(item.value())).toList();
    return names.isEmpty() ? "-" : PlainText.of(String.join(", ", names));
  }
}
