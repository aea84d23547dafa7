package dev.trainyard.server.access;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.server.CoreServices;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.http.CsrfProtection;
import dev.trainyard.server.http.Json;
import dev.trainyard.server.http.Scope;
import dev.trainyard.server.job.JobFileText;
import dev.trainyard.server.token.ApplicationTokens;
import dev.trainyard.server.user.NewUser;
import dev.trainyard.server.user.Profile;
import dev.trainyard.server.user.User;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Users and their objects, which only one test uses. An object is created when a request first
 * refers to it.
 */
final class AccessFixture {
  private static final Pattern PART = Pattern.compile("([^/]+)/:(\\w+)");
  private static final Pattern VALUE = Pattern.compile("\\$(\\w+)");
  private static final String SSH_KEY =
      "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJPE9cV2n5lAoti6RrrhR2+qnfGFVEjR61f5" + "i3HpN23a";

  private final AccessTestServer server;
  private final int number;
  private final int cpus;
  private final Map<String, User> users = new HashMap<>();
  private final Map<AccessCaller, String> tokens = new EnumMap<>(AccessCaller.class);
  private final Map<String, String> objects = new HashMap<>();

  /**
   * @param number number that distinguishes this fixture from all others
   * @param cpus number of CPUs that the user's job requests; the node has one CPU
   */
  AccessFixture(AccessTestServer server, int number, int cpus) {
    this.server = server;
    this.number = number;
    this.cpus = cpus;
    CoreServices coreServices = server.coreServices();
    coreServices
        .db()
        .write(
            handle -> {
              for (String name : List.of("user", "other", "member", "admin", "gone")) {
                boolean admin = name.equals("admin") || name.equals("gone");
                boolean inLab = name.equals("user") || name.equals("member");
                List<String> groups = inLab ? List.of(AccessTestServer.LAB) : List.of();
                NewUser wanted =
                    new NewUser(name(name), "-", admin, Profile.EMPTY, groups, List.of());
                users.put(name, coreServices.users().insert(handle, Actor.SYSTEM, wanted));
              }
              return null;
            });
  }

  String token(AccessCaller caller) {
    return tokens.computeIfAbsent(caller, this::issue);
  }

  private String issue(AccessCaller caller) {
    return switch (caller) {
      case GUEST -> "";
      case USER -> session("user");
      case OTHER -> session("other");
      case MEMBER -> session("member");
      case ADMIN -> session("admin");
      case READ -> application("user", Scope.READ);
      case SUBMIT -> application("user", Scope.SUBMIT);
      case ALL -> application("user", Scope.ALL);
      case ADMIN_ALL -> application("admin", Scope.ALL);
      case COOKIE -> CsrfProtection.SESSION_COOKIE + "=" + session("admin");
      case REVOKED -> revoked();
      case DISABLED -> disabled();
    };
  }

  /** Returns names that must not occur in any response to this caller. */
  String[] hiddenValues(AccessCaller caller) {
    return switch (caller) {
      case GUEST, OTHER, REVOKED, DISABLED ->
          new String[] {name("user"), name("job"), name("vc"), name("group"), name("storage")};
      case MEMBER -> new String[] {name("user"), name("job")};
      default -> new String[] {"no user has this name"};
    };
  }

  /** Returns a unique name. It ends with a separator so that no name is part of another name. */
  private String name(String resourceKind) {
    return resourceKind + number + "x";
  }

  private String session(String userName) {
    User user = users.get(userName);
    return server.coreServices().tokens().issueSession(user.id(), user.name(), "").secret();
  }

  private String application(String userName, Scope scope) {
    CoreServices coreServices = server.coreServices();
    var tokens =
        new ApplicationTokens(coreServices.db(), coreServices.tokens(), coreServices.clock());
    return tokens.create(actor(userName, ""), "test", scope, Optional.empty()).secret();
  }

  private Actor actor(String userName, String tokenId) {
    User user = users.get(userName);
    return new Actor(user.id(), user.name(), tokenId, "");
  }

  private String revoked() {
    var tokens = server.coreServices().tokens();
    String token = session("user");
    tokens.endSession(actor("user", tokens.callerOf(token).orElseThrow().tokenId()));
    return token;
  }

  private String disabled() {
    String token = session("gone");
    User user = users.get("gone");
    // Changes the database directly because the API for administrators would also revoke the
    // tokens, but even a token that was not revoked must be rejected.
    server
        .coreServices()
        .db()
        .write(handle -> handle.execute("update users set disabled = 1 where id = ?", user.id()));
    server.coreServices().tokens().forgetUser(user.id());
    return token;
  }

  /** Replaces the parameters of a path with names of objects of the user. */
  String path(String route) {
    Matcher parts = PART.matcher(route);
    StringBuilder path = new StringBuilder();
    while (parts.find()) {
      String kind = kind(parts.group(1), parts.group(2));
      // OpenPAI counts attempts from 0.
      String thing = kind.equals("attempt") && route.startsWith("/api/v3") ? "1" : value(kind);
      parts.appendReplacement(path, Matcher.quoteReplacement(parts.group(1) + "/" + thing));
    }
    String completePath = parts.appendTail(path).toString();
    // Repeats the replacement for a parameter that directly follows another one, as in
    // /:role/:index.
    return completePath.contains("/:")
        ? path(completePath)
        : completePath.replace("/*", "/nothing");
  }

  /**
   * Returns the kind of object that a path parameter names: the name of the parameter or, if that
   * is ambiguous, a kind that depends on the preceding segment.
   */
  private static String kind(String before, String name) {
    return switch (name) {
      case "id", "token" -> before;
      case "name" -> before.equals("jobs") ? "jobName" : before.equals("users") ? "user" : before;
      default -> name;
    };
  }

  /** Replaces placeholders such as {@code $job} in a text with names of objects. */
  String fillPlaceholders(String text) {
    return VALUE.matcher(text).replaceAll(found -> Matcher.quoteReplacement(value(found.group(1))));
  }

  private String value(String kind) {
    String known = objects.get(kind);
    if (known == null) {
      known = create(kind);
      objects.put(kind, known);
    }
    return known;
  }

  private String create(String kind) {
    return switch (kind) {
      case "user" -> users.get("user").name();
      case "new" -> name("new");
      case "group" -> group();
      case "vc" -> virtualCluster();
      case "job" -> job();
      case "jobName" -> value("job").replaceFirst(".*~", "");
      case "newJob" -> JobFileText.of("newjob", "main", 1, 64, 0, "");
      case "newYaml" -> YAML;
      case "sshKey" -> SSH_KEY;
      case "tokens", "token" -> createAsUser("/api/v3/tokens", "{\"name\": \"t\"}");
      case "ssh-keys" ->
          createAsUser("/api/v3/users/me/ssh-keys", "{\"key\": \"%s\"}".formatted(SSH_KEY));
      case "requests" -> createAsUser("/api/v3/requests", "{\"kind\": \"pool\", \"what\": \"x\"}");
      case "codes" -> createAsAdministrator("/api/v3/signup/codes", "{}").get("id").textValue();
      case "pending" -> createPendingUser();
      case "announcements" ->
          createAsAdministrator("/api/v3/announcements", "{\"title\": \"t\"}")
              .get("id")
              .textValue();
      case "template" ->
          createAsUser(
              "/api/v3/templates",
              Json.MAPPER
                  .createObjectNode()
                  .put("name", "t")
                  .put("text", JobFileText.named("a"))
                  .toString());
      case "storage" -> storage();
      case "capability" -> "SYS_PTRACE";
      case "image" -> image();
      case "registry" -> registry();
      case "login" ->
          createAsUser(
              "/api/v3/registry-logins",
              "{\"registry\": \"r.example\", \"username\": \"u\", \"password\": \"p\"}");
      case "role" -> "main";
      case "index", "attempt", "taskAttempt" -> "0";
      case "stream" -> "stdout";
      case "log" -> "user-stdout";
      case "place", "node" -> "box";
      case "tag" -> "t";
      case "format" -> "openpai-v1";
      case "file" -> "main-1A2B.js";
      case "attribute" -> "admin";
      default -> throw new IllegalArgumentException("unknown kind " + kind);
    };
  }

  private static final String YAML =
      """
      protocolVersion: 2
      name: newjob
      type: job
      prerequisites: [{name: image, type: dockerimage, uri: "ubuntu:24.04"}]
      taskRoles:
        main:
          instances: 1
          dockerImage: image
          resourcePerInstance: {cpu: 64, memoryMB: 256, gpu: 0}
          commands: [echo hello]
      """;

  private String createAsUser(String path, String body) {
    return server
        .sendSuccessfully("POST", path, body, token(AccessCaller.USER))
        .get("id")
        .textValue();
  }

  private JsonNode createAsAdministrator(String path, String body) {
    return server.sendAsAdministrator("POST", path, body);
  }

  private String virtualCluster() {
    String name = name("vc");
    createAsAdministrator("/api/v3/virtual-clusters", "{\"name\": \"%s\"}".formatted(name));
    objects.put("vc", name);
    value("group");
    return name;
  }

  private String group() {
    String name = name("group");
    String cluster = value("vc");
    if (!objects.containsKey("group")) {
      createAsAdministrator(
          "/api/v3/groups",
          "{\"name\": \"%s\", \"virtualClusters\": [\"%s\"]}".formatted(name, cluster));
      for (String userName : List.of("user", "member")) {
        String path = "/api/v3/groups/%s/members/%s".formatted(name, users.get(userName).name());
        server.sendAsAdministrator("PUT", path, "{}");
      }
      objects.put("group", name);
    }
    return name;
  }

  private String storage() {
    String name = name("storage");
    createAsAdministrator("/api/v3/storages", "{\"name\": \"%s\"}".formatted(name));
    String grant = "{\"storages\": [\"%s\"]}".formatted(name);
    server.sendAsAdministrator("PATCH", "/api/v3/groups/" + value("group"), grant);
    return name;
  }

  /** Creates an image proposal. */
  private String image() {
    String body = "{\"name\": \"%s\", \"reference\": \"a\"}".formatted(name("image"));
    server.sendSuccessfully("POST", "/api/v3/images", body, token(AccessCaller.USER));
    return name("image");
  }

  /** Creates a registry whose address is on this host and at which no server listens. */
  private String registry() {
    String host = "127.9.%d.%d:1".formatted(number / 256, number % 256);
    createAsAdministrator(
        "/api/v3/registries",
        "{\"host\": \"%s\", \"plainHttp\": true, \"groups\": [\"%s\"]}"
            .formatted(host, value("group")));
    return host;
  }

  private String job() {
    String extraFields = "\"virtualCluster\": \"%s\",".formatted(AccessTestServer.LAB);
    String file = JobFileText.of(name("job"), "main", 1, cpus, 0, extraFields);
    server.sendSuccessfully("POST", "/api/v3/jobs", file, token(AccessCaller.USER));
    return value("user") + "~" + name("job");
  }

  private String createPendingUser() {
    String settings = "/api/v3/signup/settings";
    server.sendAsAdministrator("PUT", settings, "{\"mode\": \"approval\"}");
    String body =
        "{\"name\": \"%s\", \"password\": \"a-good-password\"}".formatted(name("newcomer"));
    server.sendSuccessfully("POST", "/api/v3/signup", body, "");
    server.sendAsAdministrator("PUT", settings, "{\"mode\": \"closed\"}");
    for (var waiting :
        server.sendAsAdministrator("GET", "/api/v3/signup/pending", "").get("pending")) {
      if (waiting.get("name").textValue().equals(name("newcomer"))) {
        return waiting.get("id").textValue();
      }
    }
    throw new AssertionError("no pending sign-up");
  }
}
