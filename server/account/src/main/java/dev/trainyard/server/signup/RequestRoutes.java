package dev.trainyard.server.signup;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import dev.trainyard.model.Ulid;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Fields;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code /api/v3/requests}: users create requests, and administrators approve or reject them. */
final class RequestRoutes {
  private static final int MAX_SUBJECT_LENGTH = 200;
  private static final int MAX_TEXT_LENGTH = 4000;
  private static final int MAX_GROUPS = 100;
  private static final int DEFAULT_LIMIT = 50;
  private static final int MAX_PAGE_SIZE = 500;

  private final UserRequests requests;

  RequestRoutes(UserRequests requests) {
    this.requests = requests;
  }

  void addTo(Routes routes) {
    routes.add("GET", "/api/v3/requests", Access.USER, this::list);
    routes.add("POST", "/api/v3/requests", Access.USER, this::create);
    routes.add("DELETE", "/api/v3/requests/:id", Access.USER, this::withdraw);
    routes.add("POST", "/api/v3/requests/:id/grant", Access.MANAGE, this::grant);
    routes.add("POST", "/api/v3/requests/:id/refuse", Access.MANAGE, this::reject);
  }

  private Object list(Request request) {
    Caller caller = request.caller();
    List<Problem> problems = new ArrayList<>();
    Optional<String> state = request.query("state").filter(text -> !text.isEmpty());
    if (state.isPresent() && !UserRequest.STATES.contains(state.get())) {
      problems.add(problem("state", "error.not-a-request-state", state.get()));
    }
    Optional<String> after = request.query("after");
    if (after.isPresent() && !Ulid.isValid(after.get())) {
      problems.add(problem("after", "error.not-a-page", after.get()));
    }
    int limit = limit(request, problems);
    if (!problems.isEmpty()) {
      throw new AppException(ErrorCode.BAD_REQUEST, Message.of("error.bad-query"), problems);
    }
    boolean allUsers = request.query("all").map(value -> !value.equals("false")).orElse(false);
    if (allUsers && !caller.admin()) {
      throw new AppException(ErrorCode.FORBIDDEN, Message.of("error.admin-only"));
    }
    Optional<String> userId = allUsers ? Optional.empty() : Optional.of(caller.userId());
    List<UserRequest> rows = requests.list(userId, state, after, limit + 1);
    boolean hasMore = rows.size() > limit;
    List<UserRequest> pageItems = hasMore ? rows.subList(0, limit) : rows;
    Map<String, Object> page = new LinkedHashMap<>();
    page.put("requests", pageItems.stream().map(RequestRoutes::view).toList());
    if (hasMore) {
      page.put("next", pageItems.getLast().id());
    }
    return page;
  }

  private static int limit(Request request, List<Problem> problems) {
    String text = request.query("limit").orElse(String.valueOf(DEFAULT_LIMIT));
    if (text.matches("[1-9][0-9]{0,2}") && Integer.parseInt(text) <= MAX_PAGE_SIZE) {
      return Integer.parseInt(text);
    }
    Message message = Message.of("error.not-in-range", "value", text).with("from", 1);
    problems.add(Problem.at("limit", message.with("to", MAX_PAGE_SIZE)));
    return DEFAULT_LIMIT;
  }

  private static Problem problem(String name, String code, String value) {
    return Problem.at(name, Message.of(code, "value", value));
  }

  private Reply create(Request request) {
    Fields fields = new Fields(request.json());
    String kind = fields.text("kind");
    if (!kind.isEmpty() && !UserRequest.KINDS.contains(kind)) {
      fields.addProblem("kind", Message.of("error.not-a-request-kind", "value", kind));
    }
    String subject = fields.optionalText("what", MAX_SUBJECT_LENGTH).orElse("");
    String reason = fields.optionalText("text", MAX_TEXT_LENGTH).orElse("");
    if (subject.isBlank() && reason.isBlank()) {
      fields.addProblem("what", Message.of("error.field-missing"));
    }
    fields.check();
    return Reply.of(201, view(requests.create(Actor.of(request), kind, subject.strip(), reason)));
  }

  private Reply withdraw(Request request) {
    requests.withdraw(Actor.of(request), request.path("id"));
    return Reply.noContent();
  }

  private Object grant(Request request) {
    Fields fields = new Fields(request.json());
    String adminMessage = fields.optionalText("word", MAX_TEXT_LENGTH).orElse("");
    List<String> groups = fields.optionalTexts("groups", MAX_GROUPS).orElse(List.of());
    fields.check();
    return view(requests.grant(Actor.of(request), request.path("id"), adminMessage, groups));
  }

  private Object reject(Request request) {
    Fields fields = new Fields(request.json());
    String adminMessage = fields.optionalText("word", MAX_TEXT_LENGTH).orElse("");
    fields.check();
    return view(requests.reject(Actor.of(request), request.path("id"), adminMessage));
  }

  private static Map<String, Object> view(UserRequest request) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("id", request.id());
    view.put("user", request.userName());
    view.put("kind", request.kind());
    view.put("what", request.subject());
    view.put("text", request.reason());
    view.put("state", request.state());
    view.put("word", request.adminMessage());
    view.put("created", request.created());
    view.put("decided", request.decided().orElse(null));
    view.put("decidedBy", request.decidedBy());
    return view;
  }
}
