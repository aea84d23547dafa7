package dev.trainyard.cli.server;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.IsolationText;
import dev.trainyard.cli.Localizer;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Api;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.DisplayWidth;
import dev.trainyard.cli.terminal.PlainText;
import dev.trainyard.cli.terminal.Style;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nodes}: shows the total and free resources of the nodes as bars. */
@picocli.CommandLine.Command(name = "nodes")
public final class NodesCommand extends Command {
  private static final int BAR = 20;

  public NodesCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    Json answer = api().read("/api/v3/nodes");
    if (session().json()) {
      terminal().line(answer.pretty());
      return ExitCode.OK;
    }
    String engine = PlainText.of(answer.string("engine"));
    for (Json node : answer.list("nodes")) {
      terminal().print(picture(node, engine));
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

  private int change(String node, String how, Map<String, ?> fields) {
    Json answer = api().post("/api/v3/nodes/" + Api.part(node) + "/" + how, fields);
    String code = how.equals("cordon") ? "cli.nodes.cordoned" : "cli.nodes.uncordoned";
    terminal().line(session().json() ? answer.pretty() : say(code, "node", node));
    return ExitCode.OK;
  }

  private String closed(Json cordon) {
    if (!cordon.isPresent()) {
      return "";
    }
    String code = cordon.string("reason").isEmpty() ? "cli.nodes.closed" : "cli.nodes.closed-why";
    String user = PlainText.of(cordon.string("user"));
    String text = say(code, "user", user, "reason", PlainText.of(cordon.string("reason")));
    return "  " + terminal().styled(Style.WAIT, text) + "\n";
  }

  private String picture(Json node, String engine) {
    StringBuilder picture = new StringBuilder();
    picture
        .append(terminal().styled(Style.STRONG, PlainText.of(node.string("name"))))
        .append("  ")
        .append(terminal().styled(Style.DIM, say("cli.nodes.engine", "engine", engine)))
        .append('\n');
    double usedCpus = node.decimal("cpus") - node.decimal("freeCpus");
    picture.append(
        row(
            say("cli.nodes.cpu"),
            bar(usedCpus, node.decimal("cpus")),
            used(number(usedCpus), number(node.decimal("cpus")))));
    long usedMemory = node.number("memoryMB") - node.number("freeMemoryMB");
    picture.append(
        row(
            say("cli.nodes.memory"),
            bar(node.decimal("memoryMB") - node.decimal("freeMemoryMB"), node.decimal("memoryMB")),
            used(Localizer.megabytes(usedMemory), Localizer.megabytes(node.number("memoryMB")))));
    devicesByKind(node).forEach((kind, devices) -> picture.append(devices(kind, devices)));
    picture.append(isolation(node.at("isolation")));
    picture.append(closed(node.at("cordon")));
    return picture.toString();
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

  /**
   * Draws one square per device, filled if the device is in use, and lists the jobs that use them.
   */
  private String devices(String kind, List<Json> devices) {
    boolean unicode = terminal().look().unicode();
    StringBuilder squares = new StringBuilder();
    for (Json device : devices) {
      boolean taken = device.at("job").isPresent();
      String square = unicode ? (taken ? "■" : "□") : taken ? "#" : ".";
      squares.append(terminal().styled(taken ? Style.BUSY : Style.GOOD, square)).append(' ');
    }
    long taken = devices.stream().filter(device -> device.at("job").isPresent()).count();
    int missing = Math.max(0, BAR - 2 * devices.size());
    StringBuilder text =
        new StringBuilder(
            row(kind, squares + " ".repeat(missing), used("" + taken, "" + devices.size())));
    for (Json device : devices) {
      String job = PlainText.of(device.string("job"));
      if (!job.isEmpty()) {
        text.append("    ").append(device.string("index")).append("  ").append(job).append('\n');
      }
    }
    return text.toString();
  }

  private static String row(String name, String picture, String text) {
    return "  " + DisplayWidth.pad(name, 10) + " " + picture + " " + text + "\n";
  }

  private String bar(double used, double all) {
    int filled = all <= 0 ? 0 : (int) Math.round(BAR * Math.clamp(used / all, 0, 1));
    boolean unicode = terminal().look().unicode();
    Style style = filled > BAR * 9 / 10 ? Style.WAIT : Style.GOOD;
    return terminal().styled(style, (unicode ? "█" : "#").repeat(filled))
        + terminal().styled(Style.DIM, (unicode ? "░" : ".").repeat(BAR - filled));
  }

  private String used(String used, String all) {
    return say("cli.nodes.used", "used", used, "all", all);
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.1f", value);
  }

  private String isolation(Json isolation) {
    String parts = new IsolationText(words()).of(isolation);
    return parts.isEmpty()
        ? ""
        : "  "
            + terminal().styled(Style.DIM, say("cli.nodes.isolation", "parts", PlainText.of(parts)))
            + "\n";
  }
}
