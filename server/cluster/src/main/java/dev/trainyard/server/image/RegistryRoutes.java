package dev.trainyard.server.image;

import dev.trainyard.engine.RegistryLogin;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.ImageReference;
import dev.trainyard.model.Message;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Fields;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code /api/v3/registries} and {@code /api/v3/registry-logins}. */
final class RegistryRoutes {
  private static final int MAX_TEXT_LENGTH = 2000;
  private static final int MAX_PASSWORD_LENGTH = 8192;
  private static final int MAX_GROUPS = 100;
  private static final int PAGE_SIZE = 100;

  private final RegistryService registries;
  private final RegistryLogins logins;
  private final RegistryBrowser browser;

  RegistryRoutes(RegistryService registries, RegistryLogins logins, RegistryBrowser browser) {
    this.registries = registries;
    this.logins = logins;
    this.browser = browser;
  }

  void addTo(Routes routes) {
    routes.add("GET", "/api/v3/registries", Access.USER, this::list);
    routes.add("POST", "/api/v3/registries", Access.MANAGE, this::create);
    routes.add("DELETE", "/api/v3/registries/:registry", Access.MANAGE, this::delete);
    routes.add("GET", "/api/v3/registries/:registry/repositories", Access.USER, this::repositories);
    routes.add("GET", "/api/v3/registries/:registry/tags", Access.USER, this::tags);
    routes.add("GET", "/api/v3/registry-logins", Access.PERSON, this::logins);
    routes.add("POST", "/api/v3/registry-logins", Access.PERSON, this::setLogin);
    routes.add("DELETE", "/api/v3/registry-logins/:login", Access.PERSON, this::deleteLogin);
  }

  private Object list(Request request) {
    return Map.of(
        "registries",
        registries.list(request.caller()).stream().map(RegistryService::view).toList());
  }

  private Reply create(Request request) {
    Fields fields = new Fields(request.json());
    Optional<String> host = host(fields, "host");
    boolean plainHttp = fields.optionalFlag("plainHttp").orElse(false);
    String description = fields.optionalText("description", MAX_TEXT_LENGTH).orElse("");
    List<String> groups = fields.optionalTexts("groups", MAX_GROUPS).orElse(List.of());
    fields.check();
    Registry registry = new Registry(host.orElseThrow(), plainHttp, description, groups);
    return Reply.of(201, RegistryService.view(registries.create(Actor.of(request), registry)));
  }

  private static Optional<String> host(Fields fields, String name) {
    String text = fields.text(name);
    Optional<String> host = text.isEmpty() ? Optional.empty() : RegistryName.of(text);
    if (!text.isEmpty() && host.isEmpty()) {
      fields.addProblem(name, Message.of("error.registry-host", "registry", text));
    }
    return host;
  }

  private Reply delete(Request request) {
    registries.delete(Actor.of(request), request.path("registry"));
    return Reply.noContent();
  }

  private Object repositories(Request request) {
    Registry registry = registries.load(request.caller(), request.path("registry"));
    return view(
        "repositories",
        browser.repositories(
            registry, login(request, registry), request.query("after"), PAGE_SIZE));
  }

  private Object tags(Request request) {
    Registry registry = registries.load(request.caller(), request.path("registry"));
    String repository = request.query("repository").orElse("");
    if (!ImageReference.isRepository(repository)) {
      throw new AppException(
          ErrorCode.BAD_REQUEST, Message.of("error.registry-repository", "repository", repository));
    }
    return view(
        "tags",
        browser.tags(
            registry, login(request, registry), repository, request.query("after"), PAGE_SIZE));
  }

  private Optional<RegistryLogin> login(Request request, Registry registry) {
    return logins.find(request.caller().userId(), registry.host());
  }

  private static Map<String, Object> view(String field, RegistryBrowser.Page page) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put(field, page.names());
    if (page.more()) {
      view.put("next", page.names().getLast());
    }
    return view;
  }

  private Object logins(Request request) {
    return Map.of("logins", logins.list(request.caller()).stream().map(StoredLogin::view).toList());
  }

  private Reply setLogin(Request request) {
    Fields fields = new Fields(request.json());
    Optional<String> host = host(fields, "registry");
    String user = fields.optionalText("username", MAX_TEXT_LENGTH).orElse("");
    String password = fields.optionalText("password", MAX_PASSWORD_LENGTH).orElse("");
    Optional<String> group = fields.optionalText("group", MAX_TEXT_LENGTH);
    if (user.isEmpty()) {
      fields.addProblem("username", Message.of("error.field-missing"));
    }
    if (password.isEmpty()) {
      fields.addProblem("password", Message.of("error.field-missing"));
    }
    fields.check();
    if (group.isPresent() && !request.caller().admin()) {
      throw new AppException(ErrorCode.FORBIDDEN, Message.of("error.admin-only"));
    }
    RegistryLogin login = new RegistryLogin(user, password);
    return Reply.of(201, logins.put(Actor.of(request), host.orElseThrow(), group, login).view());
  }

  private Reply deleteLogin(Request request) {
    logins.delete(request.caller(), Actor.of(request), request.path("login"));
    return Reply.noContent();
  }
}
