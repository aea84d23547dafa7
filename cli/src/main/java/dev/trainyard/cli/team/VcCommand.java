package dev.trainyard.cli.team;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.PlainText;
import dev.trainyard.cli.terminal.Style;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code vc}: manages virtual clusters and shows their usage and quotas. */
@picocli.CommandLine.Command(name = "vc")
public final class VcCommand extends Command {
  private static final List<String> USAGE_FIELDS =
      List.of("runningJobs", "cpus", "memoryMB", "devices");

  public VcCommand(Session session) {
    super(session);
  }

  /** Options for the properties of a virtual cluster. */
  static final class Properties {
    @Option(names = "--description", paramLabel = "TEXT", descriptionKey = "vc-description")
    private String description;

    @Option(names = "--cpus", paramLabel = "N", descriptionKey = "vc-cpus")
    private String cpus;

    @Option(names = "--memory", paramLabel = "SIZE", descriptionKey = "vc-memory")
    private String memory;

    @Option(names = "--devices", paramLabel = "N", descriptionKey = "vc-devices")
    private String devices;

    @Option(names = "--device-type", paramLabel = "TYPE=N", descriptionKey = "vc-device-type")
    private Map<String, String> types;

    private Map<String, Object> fields(Session session) {
      Map<String, Object> fields = new LinkedHashMap<>();
      if (description != null) {
        fields.put("description", description);
      }
      Map<String, Object> quota =
          new LimitParser(session, false)
              .addNumber("--cpus", "cpus", cpus)
              .addMemory("--memory", "memoryMB", memory)
              .addNumber("--devices", "devices", devices)
              .addDeviceTypes("--device-type", "deviceTypes", types)
              .fields();
      if (!quota.isEmpty()) {
        fields.put("quota", quota);
      }
      return fields;
    }
  }

  @Override
  public Integer call() {
    Json response = api().read("/api/v3/virtual-clusters");
    if (session().json()) {
      terminal().line(new Json(response.at("virtualClusters").value()).pretty());
      return ExitCode.OK;
    }
    response.list("virtualClusters").forEach(cluster -> terminal().print(format(cluster)));
    return ExitCode.OK;
  }

  private String format(Json cluster) {
    String description = PlainText.of(cluster.string("description"));
    return terminal().styled(Style.STRONG, PlainText.of(cluster.string("name")))
        + (description.isEmpty() ? "" : "  " + terminal().styled(Style.DIM, description))
        + "\n"
        + new UsageBars(session()).format(cluster.at("used"), cluster.at("quota"), USAGE_FIELDS);
  }

  @picocli.CommandLine.Command(name = "create")
  int create(
      @Parameters(paramLabel = "VC", descriptionKey = "vc") String name,
      @Mixin Properties properties) {
    Map<String, Object> fields = properties.fields(session());
    fields.put("name", name);
    return report(api().post("/api/v3/virtual-clusters", fields), "cli.vc.created", name);
  }

  @picocli.CommandLine.Command(name = "set")
  int set(
      @Parameters(paramLabel = "VC", descriptionKey = "vc") String name,
      @Mixin Properties properties) {
    Map<String, Object> fields = properties.fields(session());
    if (fields.isEmpty()) {
      throw session().usageError("cli.wrong.nothing-to-set");
    }
    return report(api().patch(path(name), fields), "cli.vc.changed", name);
  }

  @picocli.CommandLine.Command(name = "rm")
  int remove(@Parameters(paramLabel = "VC", descriptionKey = "vc") String name) {
    api().delete(path(name));
    return report(new Json(null), "cli.vc.removed", name);
  }

  private int report(Json response, String code, String name) {
    terminal()
        .line(
            session().json()
                ? (response.isPresent() ? response.pretty() : "{}")
                : text(code, "vc", name));
    return ExitCode.OK;
  }

  private static String path(String cluster) {
    return "/api/v3/virtual-clusters/" + ApiClient.encode(cluster);
  }
}
