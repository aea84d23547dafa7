package dev.trainyard.server.user;

import dev.trainyard.model.Message;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Fields;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import java.time.Instant;
import java.util.Map;

/** {@code /api/v3/users/:name/ssh-keys}, for the user and for administrators. */
public final class SshKeyRoutes {
  private static final int MAX_TITLE_LENGTH = 100;

  private final UserService users;
  private final ProfileService profiles;

  public SshKeyRoutes(UserService users, ProfileService profiles) {
    this.users = users;
    this.profiles = profiles;
  }

  /** A key as represented in the API. */
  record View(String id, String title, String key, String fingerprint, Instant created) {
    static View of(SshKey key) {
      return new View(key.id(), key.title(), key.text(), key.fingerprint(), key.created());
    }
  }

  public void addTo(Routes routes) {
    routes.add("GET", "/api/v3/users/:name/ssh-keys", Access.USER, this::list);
    routes.add("POST", "/api/v3/users/:name/ssh-keys", Access.PERSON, this::add);
    routes.add("DELETE", "/api/v3/users/:name/ssh-keys/:id", Access.PERSON, this::remove);
  }

  private Object list(Request request) {
    User user = users.loadVisible(request);
    return Map.of("sshKeys", profiles.keys(user.id()).stream().map(View::of).toList());
  }

  private Reply add(Request request) {
    User user = users.loadVisible(request);
    Fields fields = new Fields(request.json());
    String title = fields.optionalText("title", MAX_TITLE_LENGTH).orElse("").strip();
    if (title.contains("\n")) {
      fields.addProblem("title", Message.of("error.field-control"));
    }
    String text = fields.text("key");
    fields.check();
    SshKey key = profiles.addKey(Actor.of(request), user, title, SshKeyText.parse(text));
    return Reply.of(201, View.of(key));
  }

  private Reply remove(Request request) {
    profiles.removeKey(Actor.of(request), users.loadVisible(request), request.path("id"));
    return Reply.noContent();
  }
}
