package dev.trainyard.server.oidc;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.config.Settings;
import dev.trainyard.server.identity.ProvisioningPolicy;
import dev.trainyard.server.limit.Network;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Configuration of the OpenID Connect provider.
 *
 * @param issuer exact issuer identifier of the provider
 * @param clientSecret empty for a public client
 * @param userClaim the claim that contains the name of a new user
 * @param groupsClaim the claim that lists the groups
 * @param provisioning the policy for external users without a link to a local user
 * @param publicUrl the URL at which browsers reach this server, without a trailing slash
 * @param returnOrigins origins of the pages to which OpenPAI clients may be redirected with a token
 */
record OidcConfig(
    String issuer,
    String clientId,
    Optional<String> clientSecret,
    String scopes,
    String userClaim,
    String groupsClaim,
    ProvisioningPolicy provisioning,
    String publicUrl,
    Set<String> returnOrigins) {

  OidcConfig {
    returnOrigins = Set.copyOf(returnOrigins);
  }

  /**
   * Returns the configuration; empty if no provider is configured. Throws if the configuration is
   * incomplete or unsafe.
   */
  static Optional<OidcConfig> of(Settings settings) {
    String issuer = settings.value(Settings.OIDC_ISSUER);
    if (issuer.isEmpty()) {
      return Optional.empty();
    }
    String clientId = settings.value(Settings.OIDC_CLIENT_ID);
    Optional<URI> publicUrl = settings.value(Settings.PUBLIC_URL).stream().findFirst();
    if (clientId.isEmpty() || publicUrl.isEmpty()) {
      throw badRequest(Message.of("config.oidc-incomplete"));
    }
    if (!isSafe(URI.create(issuer))) {
      throw badRequest(Message.of("config.oidc-http", "issuer", issuer));
    }
    Set<String> origins = new LinkedHashSet<>(settings.value(Settings.OIDC_RETURN_ORIGINS));
    origins.add(origin(publicUrl.get()));
    return Optional.of(
        new OidcConfig(
            issuer,
            clientId,
            settings.value(Settings.OIDC_CLIENT_SECRET_FILE).map(OidcConfig::readSecret),
            settings.value(Settings.OIDC_SCOPES),
            settings.value(Settings.OIDC_USER_CLAIM),
            settings.value(Settings.OIDC_GROUPS_CLAIM),
            ProvisioningPolicy.of(settings.value(Settings.OIDC_CREATE_USERS)),
            publicUrl.get().toString().replaceAll("/+$", ""),
            origins));
  }

  private static String readSecret(Path file) {
    try {
      String secret = Files.readString(file).strip();
      if (!secret.isEmpty()) {
        return secret;
      }
    } catch (IOException e) {
      throw new AppException(
          ErrorCode.BAD_REQUEST, Message.of("config.oidc-secret", "file", file.toString()));
    }
    throw badRequest(Message.of("config.oidc-secret", "file", file.toString()));
  }

  private static AppException badRequest(Message message) {
    return new AppException(ErrorCode.BAD_REQUEST, message);
  }

  /** Returns scheme, host and port, in the form in which browsers send the origin of a page. */
  static String origin(URI address) {
    return address.getScheme() + "://" + address.getRawAuthority();
  }

  /**
   * Returns whether traffic to this address is protected from other parties, because it uses TLS or
   * does not leave the host.
   */
  static boolean isSafe(URI address) {
    return "https".equals(address.getScheme())
        || ("http".equals(address.getScheme()) && Network.isLocalHost(address));
  }

  URI discoveryUrl() {
    return URI.create(issuer.replaceAll("/+$", "") + "/.well-known/openid-configuration");
  }

  /** Returns the URI to which the provider redirects a browser. */
  URI redirectUri() {
    return URI.create(publicUrl + Oidc.RETURN_PATH);
  }

  /** Omits the secret because the result may be logged. */
  @Override
  public String toString() {
    return "OidcConfig[" + issuer + ", " + clientId + "]";
  }
}
