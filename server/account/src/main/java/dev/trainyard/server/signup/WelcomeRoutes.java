package dev.trainyard.server.signup;

import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Routes;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * {@code GET /api/v3/welcome}: only the information that the web page needs before a user signs in.
 */
public final class WelcomeRoutes {
  private final String version;
  private final boolean directoryEnabled;
  private final Optional<String> issuer;
  private final Supplier<Map<String, Object>> signUpSettings;

  /**
   * @param directoryEnabled whether users can sign in with passwords of an LDAP directory
   * @param issuer the OpenID Connect issuer; empty if none is configured
   * @param signUpSettings returns the public sign-up settings
   */
  public WelcomeRoutes(
      String version,
      boolean directoryEnabled,
      Optional<String> issuer,
      Supplier<Map<String, Object>> signUpSettings) {
    this.version = version;
    this.directoryEnabled = directoryEnabled;
    this.issuer = issuer;
    this.signUpSettings = signUpSettings;
  }

  public void addTo(Routes routes) {
    routes.add("GET", "/api/v3/welcome", Access.PUBLIC, _ -> view());
  }

  private Map<String, Object> view() {
    Map<String, Object> signIn = new LinkedHashMap<>();
    signIn.put("password", true);
    signIn.put("ldap", directoryEnabled);
    signIn.put("oidc", issuer.map(WelcomeRoutes::providerView).orElse(null));
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("product", "Trainyard");
    view.put("version", version);
    view.put("signIn", signIn);
    view.put("signUp", signUpSettings.get());
    view.put("languages", List.of("en", "zh"));
    return view;
  }

  /**
   * Returns the data with which the page shows a provider: its host name, and the path of this
   * server at which the sign-in starts.
   */
  private static Map<String, Object> providerView(String issuer) {
    String host = URI.create(issuer).getHost();
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("name", host == null ? issuer : host);
    view.put("issuer", issuer);
    view.put("login", "/api/v3/oidc/login");
    return view;
  }
}
