package dev.trainyard.server.usage;

import dev.trainyard.model.AppException;
import dev.trainyard.model.Device;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Node;
import dev.trainyard.model.Problem;
import dev.trainyard.server.audit.TimeRangeParameters;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Csv;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.work.WorkPools;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** {@code GET /api/v3/usage}: device hours and CPU hours by user or virtual cluster and day. */
public final class UsageRoutes {
  private static final Duration DEFAULT_RANGE = Duration.ofDays(30);
  private static final Duration MAX_RANGE = Duration.ofDays(400);

  /** Device type that is reported for devices that no longer exist. */
  private static final String UNKNOWN_TYPE = "unknown";

  private final Db db;
  private final InstantSource clock;
  private final Supplier<List<Node>> nodes;

  public UsageRoutes(Db db, InstantSource clock, Supplier<List<Node>> nodes) {
    this.db = db;
    this.clock = clock;
    this.nodes = nodes;
  }

  public void addTo(Routes routes) {
    routes.add("GET", "/api/v3/usage", Access.USER, this::show);
  }

  private Object show(Request request) {
    return WorkPools.PARSING.run(() -> report(request));
  }

  private Object report(Request request) {
    List<Problem> problems = new ArrayList<>();
    Instant now = clock.instant();
    TimeRangeParameters timeRange = TimeRangeParameters.read(request, problems);
    ZoneId zone = timeRange.zone();
    Instant until = timeRange.until().orElse(now);
    Instant since = timeRange.since().orElse(until.minus(DEFAULT_RANGE));
    String by = request.query("by").orElse("user");
    if (!List.of("user", "virtualCluster").contains(by)) {
      problems.add(
          problem(
              "by",
              Message.of("error.not-one-of", "value", by).with("known", "user, virtualCluster")));
    }
    String defaultFormat =
        request.header("Accept").orElse("").startsWith("text/csv") ? "csv" : "json";
    String format = request.query("format").orElse(defaultFormat);
    if (!List.of("json", "csv").contains(format)) {
      problems.add(problem("format", Message.of("error.not-a-format", "value", format)));
    }
    if (problems.isEmpty() && !since.isBefore(until)) {
      problems.add(problem("until", Message.of("error.ends-before-start")));
    } else if (problems.isEmpty() && Duration.between(since, until).compareTo(MAX_RANGE) > 0) {
      problems.add(problem("since", Message.of("error.span-too-long", "days", MAX_RANGE.toDays())));
    }
    if (!problems.isEmpty()) {
      throw new AppException(ErrorCode.BAD_REQUEST, Message.of("error.bad-query"), problems);
    }
    boolean byCluster = by.equals("virtualCluster");
    Optional<String> user =
        request.caller().admin() ? Optional.empty() : Optional.of(request.caller().userId());
    UsageTable table = read(new UsageStore.UsageQuery(since, until, user, byCluster, now), zone);
    if (format.equals("csv")) {
      return csv(table, by);
    }
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("since", since);
    view.put("until", until);
    view.put("zone", zone.getId());
    view.put("by", by);
    addSums(view, table, by);
    return view;
  }

  private UsageTable read(UsageStore.UsageQuery usageQuery, ZoneId zone) {
    Map<String, Map<Integer, String>> modelsByNode = new LinkedHashMap<>();
    for (Node node : nodes.get()) {
      Map<Integer, String> modelByIndex = new LinkedHashMap<>();
      for (Device device : node.devices()) {
        modelByIndex.put(device.index(), device.model());
      }
      modelsByNode.put(node.name(), modelByIndex);
    }
    UsageStore store =
        new UsageStore(
            (node, index) ->
                modelsByNode.getOrDefault(node, Map.of()).getOrDefault(index, UNKNOWN_TYPE));
    return db.read(
        handle -> {
          UsageTable table = new UsageTable(usageQuery.since(), usageQuery.until(), zone);
          store.read(handle, usageQuery, table::add);
          return table;
        });
  }

  private static void addSums(Map<String, Object> view, UsageTable table, String by) {
    List<Map<String, Object>> rows = new ArrayList<>();
    table
        .rows()
        .forEach(
            (key, sums) -> {
              Map<String, Object> row = new LinkedHashMap<>();
              row.put("day", key.day().toString());
              rows.add(sums(row, by, key.subject(), sums));
            });
    List<Map<String, Object>> totals = new ArrayList<>();
    table
        .totals()
        .forEach((subject, sums) -> totals.add(sums(new LinkedHashMap<>(), by, subject, sums)));
    view.put("rows", rows);
    view.put("totals", totals);
  }

  private static Map<String, Object> sums(
      Map<String, Object> view, String by, String subject, UsageTable.Sums sums) {
    view.put(by, subject);
    view.put("jobs", sums.jobs());
    view.put("cpuHours", sums.cpuHours());
    view.put("deviceHours", sums.allDeviceHours());
    view.put("devices", sums.deviceHours());
    return view;
  }

  private static Reply csv(UsageTable table, String by) {
    List<String> types = table.deviceTypes();
    List<String> heading = new ArrayList<>(List.of("day", by, "jobs", "cpuHours", "deviceHours"));
    types.forEach(type -> heading.add("deviceHours:" + type));
    StringBuilder text = new StringBuilder(Csv.heading(heading));
    table
        .rows()
        .forEach(
            (key, sums) -> {
              List<String> cells =
                  new ArrayList<>(
                      List.of(
                          key.day().toString(),
                          key.subject(),
                          String.valueOf(sums.jobs()),
                          String.valueOf(sums.cpuHours()),
                          String.valueOf(sums.allDeviceHours())));
              Map<String, Double> hours = sums.deviceHours();
              types.forEach(type -> cells.add(String.valueOf(hours.getOrDefault(type, 0.0))));
              text.append(Csv.row(cells));
            });
    return Reply.of(200, text.toString())
        .with("Content-Type", "text/csv; charset=utf-8")
        .with("Content-Disposition", "attachment; filename=\"trainyard-usage.csv\"");
  }

  private static Problem problem(String name, Message message) {
    return Problem.at(name, message);
  }
}
