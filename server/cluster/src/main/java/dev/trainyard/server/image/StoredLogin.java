package dev.trainyard.server.image;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A login for a registry, without the password.
 *
 * @param group group whose members may use the login; empty for the login of a user
 */
record StoredLogin(
    String id, String host, Optional<String> group, String account, Instant created) {

  Map<String, Object> view() {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("id", id);
    view.put("registry", host);
    view.put("group", group.orElse(null));
    view.put("username", account);
    view.put("created", created.toEpochMilli());
    return view;
  }
}
