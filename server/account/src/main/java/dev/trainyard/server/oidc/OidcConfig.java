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
 * Which provider is trusted, and with what.
 *
 * @param issuer as the provider calls itself, to the letter
 * @param clientSecret empty for a public client
 * @param userClaim which claim names a new user
 * @param groupsClaim which claim lists the groups
 * @param newcomers what becomes of somebody nobody knows
 * @param publicUrl how browsers reach this server, without a slash at its end
 * @param returnOrigins to which pages OpenPAI's clients may be sent back with a token
 */
record OidcConfig(
    String issuer,
    String clientId,
    Optional<String> clientSecret,
    String scopes,
    String userClaim,
    String groupsClaim,
    ProvisioningPolicy newcomers,
    String publicUrl,
    Set<String> returnOrigins) {

  OidcConfig {
    returnOrigins = Set.copyOf(returnOrigins);
  }

  /** Empty where no provider is configured; refuses half a configuration. */
  static Optional<OidcConfig> of(Settings settings) {
    String issuer = settings.value(Settings.OIDC_ISSUER);
    if (issuer.isEmpty()) {
      return Optional.empty();
    }
    String clientId = settings.value(Settings.OIDC_CLIENT_ID);
    Optional<URI> publicUrl = settings.value(Settings.PUBLIC_URL);
    if (clientId.isEmpty() || publicUrl.isEmpty()) {
      throw refused(Message.of("config.oidc-incomplete"));
    }
    if (!isSafe(URI.create(issuer))) {
      throw refused(Message.of("config.oidc-http", "issuer", issuer));
    }
    Set<String> origins = new LinkedHashSet<>(settings.value(Settings.OIDC_RETURN_ORIGINS));
    origins.add(origin(publicUrl.get()));
    return Optional.of(
        new OidcConfig(
            issuer,
            clientId,
            settings.value(Settings.OIDC_CLIENT_SECRET_FILE).map(OidcConfig::secret),
            settings.value(Settings.OIDC_SCOPES),
            settings.value(Settings.OIDC_USER_CLAIM),
            settings.value(Settings.OIDC_GROUPS_CLAIM),
            ProvisioningPolicy.of(settings.value(Settings.OIDC_CREATE_USERS)),
            publicUrl.get().toString().replaceAll("/+$", ""),
            origins));
  }

  private static String secret(Path file) {
    try {
      String secret = Files.readString(file).strip();
      if (!secret.isEmpty()) {
        return secret;
      }
    } catch (IOException e) {
      throw new AppException(
          ErrorCode.BAD_REQUEST, Message.of("config.oidc-secret", "file", file.toString()));
    }
    throw refused(Message.of("config.oidc-secret", "file", file.toString()));
  }

  private static AppException refused(Message message) {
    return new AppException(ErrorCode.BAD_REQUEST, message);
  }

  /** Scheme, host and port, as browsers name the place a page is from. */
  static String origin(URI address) {
    return address.getScheme() + "://" + address.getRawAuthority();
  }

  /**
   * Whether nobody on the way can read or change what is said there: by TLS, or because it does not
   * leave the machine.
   */
  static boolean isSafe(URI address) {
    return "https".equals(address.getScheme())
        || ("http".equals(address.getScheme()) && Network.isThisMachine(address));
  }

  URI discovery() {
    return URI.create(issuer.replaceAll("/+$", "") + "/.well-known/openid-configuration");
  }

  /** Where the provider sends people back to. */
  URI returnAddress() {
    return URI.create(publicUrl + Oidc.RETURN_PATH);
  }

  /** Not the secret: this may end in a log. */
  @Override
  public String toString() {
    return "OidcConfig[" + issuer + ", " + clientId + "]";
  }
}
