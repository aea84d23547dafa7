package dev.trainyard.server.signup;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Fields;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code /api/v3/requests}: users ask for more, administrators answer. */
final class RequestRoutes {
  private static final int LONGEST_WHAT = 200;
  private static final int LONGEST_TEXT = 4000;

  private final UserRequests requests;

  RequestRoutes(UserRequests requests) {
    this.requests = requests;
  }

  void addTo(Routes routes) {
    routes.add("GET", "/api/v3/requests", Access.USER, this::list);
    routes.add("POST", "/api/v3/requests", Access.USER, this::ask);
    routes.add("DELETE", "/api/v3/requests/:id", Access.USER, this::withdraw);
    routes.add("POST", "/api/v3/requests/:id/grant", Access.MANAGE, this::grant);
    routes.add("POST", "/api/v3/requests/:id/refuse", Access.MANAGE, this::refuse);
  }

  private Object list(Request request) {
    Caller caller = request.caller();
    Optional<String> state = request.query("state").filter(text -> !text.isEmpty());
    if (state.isPresent() && !UserRequest.STATES.contains(state.get())) {
      throw new AppException(
          ErrorCode.BAD_REQUEST,
          Message.of("error.bad-query"),
          List.of(
              Problem.at("state", Message.of("error.not-a-request-state", "value", state.get()))));
    }
    boolean all = request.query("all").map(value -> !value.equals("false")).orElse(false);
    if (all && !caller.admin()) {
      throw new AppException(ErrorCode.FORBIDDEN, Message.of("error.admin-only"));
    }
    Optional<String> whose = all ? Optional.empty() : Optional.of(caller.userId());
    return Map.of(
        "requests", requests.list(whose, state).stream().map(RequestRoutes::view).toList());
  }

  private Reply ask(Request request) {
    Fields fields = new Fields(request.json());
    String kind = fields.text("kind");
    if (!kind.isEmpty() && !UserRequest.KINDS.contains(kind)) {
      fields.problem("kind", Message.of("error.not-a-request-kind", "value", kind));
    }
    String what = fields.optionalText("what", LONGEST_WHAT).orElse("");
    String reason = fields.optionalText("text", LONGEST_TEXT).orElse("");
    if (what.isBlank() && reason.isBlank()) {
      fields.problem("what", Message.of("error.field-missing"));
    }
    fields.check();
    return Reply.of(201, view(requests.ask(Actor.of(request), kind, what.strip(), reason)));
  }

  private Reply withdraw(Request request) {
    requests.withdraw(Actor.of(request), request.path("id"));
    return Reply.noContent();
  }

  private Object grant(Request request) {
    return decide(request, true);
  }

  private Object refuse(Request request) {
    return decide(request, false);
  }

  private Object decide(Request request, boolean granted) {
    Fields fields = new Fields(request.json());
    String word = fields.optionalText("word", LONGEST_TEXT).orElse("");
    fields.check();
    return view(requests.decide(Actor.of(request), request.path("id"), granted, word));
  }

  private static Map<String, Object> view(UserRequest request) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("id", request.id());
    view.put("user", request.userName());
    view.put("kind", request.kind());
    view.put("what", request.what());
    view.put("text", request.reason());
    view.put("state", request.state());
    view.put("word", request.word());
    view.put("created", request.created());
    view.put("decided", request.decided().orElse(null));
    view.put("decidedBy", request.decidedBy());
    return view;
  }
}
