package dev.trainyard.server.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import dev.trainyard.model.Ulid;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Json;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code GET /api/v3/audit}, for administrators. */
public final class AuditRoutes {
  private static final int DEFAULT_LIMIT = 50;
  private static final int MAX_PAGE_SIZE = 500;

  private final Db db;

  public AuditRoutes(Db db) {
    this.db = db;
  }

  public void addTo(Routes routes) {
    routes.add("GET", "/api/v3/audit", Access.ADMIN, this::list);
  }

  private Object list(Request request) {
    List<Problem> problems = new ArrayList<>();
    TimeRangeParameters timeRange = TimeRangeParameters.read(request, problems);
    AuditFilter filter =
        new AuditFilter(
            request.query("user").orElse(""),
            request.query("action").orElse(""),
            request.query("target").orElse(""),
            timeRange.since(),
            timeRange.until(),
            readAfter(request, problems));
    int limit = readLimit(request, problems);
    String format = readFormat(request, problems);
    if (!problems.isEmpty()) {
      throw new AppException(ErrorCode.BAD_REQUEST, Message.of("error.bad-query"), problems);
    }
    if (format.equals("json")) {
      return page(filter, limit);
    }
    AuditExport export = AuditExport.of(format);
    return Reply.of(200, export.stream(db, filter, request::isStillSignedIn))
        .with("Content-Type", export.contentType())
        .with("Content-Disposition", "attachment; filename=\"trainyard-audit." + format + "\"")
        .with("X-Content-Type-Options", "nosniff")
        .with("Cache-Control", "no-store");
  }

  private Map<String, Object> page(AuditFilter filter, int limit) {
    List<AuditEntry> entries = db.read(handle -> AuditStore.list(handle, filter, limit + 1));
    boolean hasMore = entries.size() > limit;
    List<AuditEntry> pageEntries = hasMore ? entries.subList(0, limit) : entries;
    Map<String, Object> page = new LinkedHashMap<>();
    page.put("records", pageEntries.stream().map(AuditRoutes::view).toList());
    if (hasMore) {
      page.put("next", pageEntries.getLast().id());
    }
    return page;
  }

  static Map<String, Object> view(AuditEntry entry) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("id", entry.id());
    view.put("time", entry.happened());
    view.put("user", entry.actor().userName());
    view.put("userId", emptyAsNull(entry.actor().userId()));
    view.put("token", emptyAsNull(entry.actor().tokenId()));
    view.put("address", emptyAsNull(entry.actor().address()));
    view.put("action", entry.action());
    view.put("target", entry.target());
    view.put("before", parseValues(entry.before()));
    view.put("after", parseValues(entry.after()));
    return view;
  }

  private static String emptyAsNull(String text) {
    return text.isEmpty() ? null : text;
  }

  private static JsonNode parseValues(String text) {
    try {
      return Json.MAPPER.readTree(text.isEmpty() ? "{}" : text);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("invalid JSON in a record of the audit log", e);
    }
  }

  private static Optional<String> readAfter(Request request, List<Problem> problems) {
    Optional<String> after = request.query("after");
    if (after.isPresent() && !Ulid.isValid(after.get())) {
      problems.add(problem("after", "error.not-a-page", after.get()));
    }
    return after;
  }

  private static int readLimit(Request request, List<Problem> problems) {
    String text = request.query("limit").orElse(String.valueOf(DEFAULT_LIMIT));
    if (text.matches("[1-9][0-9]{0,2}") && Integer.parseInt(text) <= MAX_PAGE_SIZE) {
      return Integer.parseInt(text);
    }
    Message message = Message.of("error.not-in-range", "value", text).with("from", 1);
    problems.add(Problem.at("limit", message.with("to", MAX_PAGE_SIZE)));
    return DEFAULT_LIMIT;
  }

  private static String readFormat(Request request, List<Problem> problems) {
    String accept = request.header("Accept").orElse("");
    String defaultFormat =
        accept.startsWith("text/csv")
            ? "csv"
            : accept.startsWith("application/x-ndjson") ? "jsonl" : "json";
    String format = request.query("format").orElse(defaultFormat);
    if (!List.of("json", "csv", "jsonl").contains(format)) {
      problems.add(problem("format", "error.not-a-format", format));
    }
    return format;
  }

  private static Problem problem(String name, String code, String value) {
    return Problem.at(name, Message.of(code, "value", value));
  }
}
