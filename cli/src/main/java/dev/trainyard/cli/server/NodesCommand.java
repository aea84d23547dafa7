package dev.trainyard.cli.server;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.IsolationText;
import dev.trainyard.cli.Localizer;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.DisplayWidth;
import dev.trainyard.cli.terminal.PlainText;
import dev.trainyard.cli.terminal.Style;
import dev.trainyard.cli.terminal.Table;
import dev.trainyard.cli.terminal.Table.Cell;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nodes}: shows the total and free resources of the nodes as bars. */
@picocli.CommandLine.Command(name = "nodes")
public final class NodesCommand extends Command {
  private static final int BAR_LENGTH = 20;

  public NodesCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    Json response = api().read("/api/v3/nodes");
    if (session().json()) {
      terminal().line(response.pretty());
      return ExitCode.OK;
    }
    String engine = PlainText.of(response.string("engine"));
    for (Json node : response.list("nodes")) {
      terminal().print(format(node, engine));
    }
    return ExitCode.OK;
  }

  @picocli.CommandLine.Command(name = "cordon")
  int cordon(
      @Parameters(paramLabel = "NODE", descriptionKey = "node") String node,
      @Option(names = "--reason", paramLabel = "TEXT", defaultValue = "") String reason) {
    return change(node, "cordon", Map.of("reason", reason));
  }

  @picocli.CommandLine.Command(name = "uncordon")
  int uncordon(@Parameters(paramLabel = "NODE", descriptionKey = "node") String node) {
    return change(node, "uncordon", Map.of());
  }

  private int change(String node, String action, Map<String, ?> fields) {
    Json response = api().post("/api/v3/nodes/" + ApiClient.encode(node) + "/" + action, fields);
    String code = action.equals("cordon") ? "cli.nodes.cordoned" : "cli.nodes.uncordoned";
    terminal().line(session().json() ? response.pretty() : text(code, "node", node));
    return ExitCode.OK;
  }

  private String cordonText(Json cordon) {
    if (!cordon.isPresent()) {
      return "";
    }
    String code = cordon.string("reason").isEmpty() ? "cli.nodes.closed" : "cli.nodes.closed-why";
    String user = PlainText.of(cordon.string("user"));
    String text = text(code, "user", user, "reason", PlainText.of(cordon.string("reason")));
    return "  " + terminal().styled(Style.WAIT, text) + "\n";
  }

  private String format(Json node, String engine) {
    StringBuilder text = new StringBuilder();
    text.append(terminal().styled(Style.STRONG, PlainText.of(node.string("name"))))
        .append("  ")
        .append(terminal().styled(Style.DIM, text("cli.nodes.engine", "engine", engine)))
        .append('\n');
    double usedCpus = node.decimal("cpus") - node.decimal("freeCpus");
    text.append(
        row(
            text("cli.nodes.cpu"),
            bar(usedCpus, node.decimal("cpus")),
            usageText(formatNumber(usedCpus), formatNumber(node.decimal("cpus")))));
    long usedMemory = node.number("memoryMB") - node.number("freeMemoryMB");
    text.append(
        row(
            text("cli.nodes.memory"),
            bar(node.decimal("memoryMB") - node.decimal("freeMemoryMB"), node.decimal("memoryMB")),
            usageText(
                Localizer.megabytes(usedMemory), Localizer.megabytes(node.number("memoryMB")))));
    devicesByKind(node).forEach((kind, devices) -> text.append(formatDevices(kind, devices)));
    text.append(jobTable(node.list("jobs")));
    text.append(isolationText(node.at("isolation")));
    text.append(cordonText(node.at("cordon")));
    return text.toString();
  }

  private static Map<String, List<Json>> devicesByKind(Json node) {
    return node.list("devices").stream()
        .collect(
            Collectors.groupingBy(
                device ->
                    PlainText.of((device.string("kind") + " " + device.string("model")).strip()),
                LinkedHashMap::new,
                Collectors.toList()));
  }

  /** Draws one square per device, filled if the device is in use. */
  private String formatDevices(String kind, List<Json> devices) {
    boolean unicode = terminal().properties().unicode();
    StringBuilder squares = new StringBuilder();
    for (Json device : devices) {
      boolean isInUse = device.at("job").isPresent();
      String square = unicode ? (isInUse ? "■" : "□") : isInUse ? "#" : ".";
      squares.append(terminal().styled(isInUse ? Style.BUSY : Style.GOOD, square)).append(' ');
    }
    long usedCount = devices.stream().filter(device -> device.at("job").isPresent()).count();
    int paddingLength = Math.max(0, BAR_LENGTH - 2 * devices.size());
    return row(
        kind, squares + " ".repeat(paddingLength), usageText("" + usedCount, "" + devices.size()));
  }

  /**
   * Lists the jobs on a node in descending order of CPU usage, so that a runaway job stands out.
   */
  private String jobTable(List<Json> jobs) {
    if (jobs.isEmpty()) {
      return "";
    }
    List<String> heading =
        Stream.of("job", "vc", "tasks", "cpus", "used-cpus", "memory", "devices")
            .map(column -> text("cli.column." + column))
            .toList();
    Table table = new Table(heading).withDroppableColumns(2, 1);
    jobs.stream()
        .sorted(Comparator.comparingDouble(NodesCommand::cpuUse).reversed())
        .forEach(job -> table.addRow(cells(job)));
    return table.render(terminal()).indent(2);
  }

  private static double cpuUse(Json job) {
    return job.find("usedCpus").isPresent() ? job.decimal("usedCpus") : 0;
  }

  private Cell[] cells(Json job) {
    boolean exceeds = cpuUse(job) > job.decimal("cpus") + 0.5;
    String devices = job.list("devices").stream().map(Json::text).collect(Collectors.joining(","));
    return new Cell[] {
      Cell.of(
          job.find("user").isPresent()
              ? job.string("user") + "~" + job.string("name")
              : text("cli.nodes.other-jobs")),
      Cell.of(job.find("virtualCluster").orElse("")),
      Cell.of(job.string("tasks")),
      Cell.of(job.string("cpus")),
      new Cell(
          job.find("usedCpus").isPresent() ? formatNumber(job.decimal("usedCpus")) : "",
          exceeds ? Style.BAD : Style.NONE),
      Cell.of(Localizer.megabytes(job.number("memoryMB"))),
      Cell.of(devices)
    };
  }

  private static String row(String label, String bar, String text) {
    return "  " + DisplayWidth.pad(label, 10) + " " + bar + " " + text + "\n";
  }

  private String bar(double used, double total) {
    int filled = total <= 0 ? 0 : (int) Math.round(BAR_LENGTH * Math.clamp(used / total, 0, 1));
    boolean unicode = terminal().properties().unicode();
    Style style = filled > BAR_LENGTH * 9 / 10 ? Style.WAIT : Style.GOOD;
    return terminal().styled(style, (unicode ? "█" : "#").repeat(filled))
        + terminal().styled(Style.DIM, (unicode ? "░" : ".").repeat(BAR_LENGTH - filled));
  }

  private String usageText(String used, String total) {
    return text("cli.nodes.used", "used", used, "all", total);
  }

  private static String formatNumber(double value) {
    return value == Math.rint(value)
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.1f", value);
  }

  private String isolationText(Json isolation) {
    String parts = new IsolationText(localizer()).of(isolation);
    return parts.isEmpty()
        ? ""
        : "  "
            + terminal()
                .styled(Style.DIM, text("cli.nodes.isolation", "parts", PlainText.of(parts)))
            + "\n";
  }
}
