package dev.trainyard.server.identity;

import dev.trainyard.model.Message;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Fields;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.user.IdentityStore.Identity;
import dev.trainyard.server.user.User;
import dev.trainyard.server.user.UserService;
import java.util.Map;
import java.util.Optional;

/** {@code /api/v3/users/:name/identities}: external identities linked to a user. */
public final class IdentityRoutes {
  private static final int MAX_SUBJECT_LENGTH = 255;
  private static final int MAX_ISSUER_LENGTH = 2000;

  private final Optional<String> defaultIssuer;
  private final IdentityLinkService identityLinkService;
  private final UserService users;

  /**
   * @param defaultIssuer the issuer of a link if the request contains no issuer
   */
  public IdentityRoutes(
      Optional<String> defaultIssuer, IdentityLinkService identityLinkService, UserService users) {
    this.defaultIssuer = defaultIssuer;
    this.identityLinkService = identityLinkService;
    this.users = users;
  }

  public void addTo(Routes routes) {
    String identitiesPath = "/api/v3/users/:name/identities";
    routes.add("GET", identitiesPath, Access.MANAGE, request -> view(user(request)));
    routes.add("POST", identitiesPath, Access.MANAGE, this::link);
    routes.add("DELETE", identitiesPath, Access.MANAGE, this::unlink);
  }

  private Map<String, Object> view(User user) {
    return Map.of("identities", users.identities(user));
  }

  private Reply link(Request request) {
    User user = user(request);
    Fields fields = new Fields(request.json());
    Optional<String> subject = fields.optionalText("subject", MAX_SUBJECT_LENGTH);
    Optional<String> issuer =
        fields.optionalText("issuer", MAX_ISSUER_LENGTH).or(() -> defaultIssuer);
    fields.text("subject");
    if (issuer.isEmpty() || issuer.get().isEmpty()) {
      fields.addProblem("issuer", Message.of("error.field-missing"));
    }
    fields.check();
    identityLinkService.link(
        Actor.of(request), user, new Identity(issuer.orElse(""), subject.orElse("")));
    return Reply.of(201, view(user));
  }

  private Reply unlink(Request request) {
    identityLinkService.unlink(
        Actor.of(request), user(request), request.query("issuer"), request.query("subject"));
    return Reply.noContent();
  }

  private User user(Request request) {
    return users.load(request.path("name"));
  }
}
