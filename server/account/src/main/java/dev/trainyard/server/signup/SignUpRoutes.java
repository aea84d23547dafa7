package dev.trainyard.server.signup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.trainyard.model.Message;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Fields;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.user.Passwords;
import dev.trainyard.server.user.Profile;
import dev.trainyard.server.user.ProfileFields;
import dev.trainyard.server.user.User;
import dev.trainyard.server.user.UserNameRules;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code /api/v3/signup}. */
final class SignUpRoutes {
  private static final int MAX_TEXT_LENGTH = 4000;
  private static final int MAX_NOTE_LENGTH = 500;
  private static final int MAX_GROUPS = 50;
  private static final long MAX_USES = 10_000;
  private static final long MAX_LIFETIME_SECONDS = Duration.ofDays(3653).toSeconds();

  private final SignUp signUp;
  private final InvitationService invitations;

  SignUpRoutes(SignUp signUp, InvitationService invitations) {
    this.signUp = signUp;
    this.invitations = invitations;
  }

  void addTo(Routes routes) {
    routes.add("GET", "/api/v3/signup", Access.PUBLIC, request -> signUp.settings().view());
    routes.add("POST", "/api/v3/signup", Access.PUBLIC, this::signUp);
    routes.add("GET", "/api/v3/signup/settings", Access.ADMIN, request -> signUp.settings().view());
    routes.add("PUT", "/api/v3/signup/settings", Access.MANAGE, this::change);
    routes.add("GET", "/api/v3/signup/codes", Access.ADMIN, this::listCodes);
    routes.add("POST", "/api/v3/signup/codes", Access.MANAGE, this::createCode);
    routes.add("DELETE", "/api/v3/signup/codes/:id", Access.MANAGE, this::revokeCode);
    routes.add("GET", "/api/v3/signup/pending", Access.ADMIN, this::listPending);
    routes.add("POST", "/api/v3/signup/pending/:id/approve", Access.MANAGE, this::approve);
    routes.add("POST", "/api/v3/signup/pending/:id/refuse", Access.MANAGE, this::reject);
  }

  private Reply signUp(Request request) {
    Fields fields = new Fields(request.json());
    String name = fields.text("name");
    if (!name.isEmpty() && !UserNameRules.isValid(name)) {
      fields.addProblem("name", Message.of("error.user-name"));
    }
    String password = fields.text("password");
    Passwords.problem(password).ifPresent(problem -> fields.addProblem("password", problem));
    if (!name.isEmpty() && password.equalsIgnoreCase(name)) {
      fields.addProblem("password", Message.of("error.password-is-name"));
    }
    ProfileFields profile = ProfileFields.ofSignUp(fields);
    Optional<String> code =
        fields.optionalText("code", MAX_NOTE_LENGTH).filter(text -> !text.isBlank());
    String message = fields.optionalText("message", MAX_TEXT_LENGTH).orElse("");
    fields.check();
    SignUp.Form form =
        new SignUp.Form(name, password, profile.applyTo(Profile.EMPTY), code, message);
    boolean active = signUp.signUp(form, request.remoteAddress());
    return Reply.of(
        active ? 201 : 202, Map.of("name", name, "state", active ? "active" : "pending"));
  }

  private Object change(Request request) {
    Fields fields = new Fields(request.json());
    SignUpSettings previous = signUp.settings();
    String label = fields.optionalText("mode").orElse(previous.mode().label());
    Optional<SignUpMode> mode = SignUpMode.find(label);
    if (mode.isEmpty()) {
      fields.addProblem("mode", Message.of("error.not-a-sign-up-mode", "value", label));
    }
    Optional<JsonNode> text = fields.optionalObject("text");
    fields.check();
    Fields texts = new Fields(text.orElseGet(JsonNodeFactory.instance::objectNode));
    String en = texts.optionalText("en", MAX_TEXT_LENGTH).orElse(previous.textEn());
    String zh = texts.optionalText("zh", MAX_TEXT_LENGTH).orElse(previous.textZh());
    texts.check();
    SignUpSettings updated = new SignUpSettings(mode.orElseThrow(), en, zh);
    signUp.change(Actor.of(request), updated);
    return updated.view();
  }

  private Object listCodes(Request request) {
    return Map.of("codes", invitations.list().stream().map(InvitationService::view).toList());
  }

  private Reply createCode(Request request) {
    Fields fields = new Fields(request.json());
    long uses = fields.optionalNumber("uses", 1, MAX_USES).orElse(1L);
    Optional<Duration> lifetime =
        fields.optionalNumber("expiresInSeconds", 1, MAX_LIFETIME_SECONDS).map(Duration::ofSeconds);
    List<String> groups = fields.optionalTexts("groups", MAX_GROUPS).orElse(List.of());
    String note = fields.optionalText("note", MAX_NOTE_LENGTH).orElse("");
    fields.check();
    InvitationService.IssuedInvitation issued =
        invitations.create(Actor.of(request), note, groups, (int) uses, lifetime);
    Map<String, Object> response = InvitationService.view(issued.invitation());
    response.put("code", issued.code());
    return Reply.of(201, response).with("Cache-Control", "no-store");
  }

  private Reply revokeCode(Request request) {
    invitations.revoke(Actor.of(request), request.path("id"));
    return Reply.noContent();
  }

  private Object listPending(Request request) {
    return Map.of("pending", signUp.pending().stream().map(SignUpRoutes::view).toList());
  }

  private static Map<String, Object> view(Applicant applicant) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("id", applicant.id());
    view.put("name", applicant.name());
    view.put("email", applicant.profile().email());
    view.put("displayName", applicant.profile().displayName());
    view.put("message", applicant.message());
    view.put("address", applicant.address());
    view.put("created", applicant.created());
    return view;
  }

  private Object approve(Request request) {
    Fields fields = new Fields(request.json());
    List<String> groups = fields.optionalTexts("groups", MAX_GROUPS).orElse(List.of());
    fields.check();
    User user = signUp.approve(Actor.of(request), request.path("id"), groups);
    return Map.of("name", user.name(), "state", "active");
  }

  private Reply reject(Request request) {
    Fields fields = new Fields(request.json());
    String adminMessage = fields.optionalText("word", MAX_TEXT_LENGTH).orElse("");
    fields.check();
    signUp.reject(Actor.of(request), request.path("id"), adminMessage);
    return Reply.noContent();
  }
}
