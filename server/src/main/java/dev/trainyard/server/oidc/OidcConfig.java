package dev.trainyard.server.oidc;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.config.Settings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Which provider is trusted, and with what.
 *
 * @param issuer as the provider calls itself, to the letter
 * @param clientSecret empty for a public client
 * @param userClaim which claim names a new user
 * @param groupsClaim which claim lists the groups
 * @param createUsers whether somebody nobody knows becomes a user
 * @param returnAddress where the provider sends people back to
 */
record OidcConfig(
    String issuer,
    String clientId,
    Optional<String> clientSecret,
    String scopes,
    String userClaim,
    String groupsClaim,
    boolean createUsers,
    URI returnAddress) {

  static final String RETURN_PATH = "/api/v3/oidc/return";

  /** Empty where no provider is configured; refuses half a configuration. */
  static Optional<OidcConfig> of(Settings settings) {
    String issuer = settings.value(Settings.OIDC_ISSUER);
    if (issuer.isEmpty()) {
      return Optional.empty();
    }
    String clientId = settings.value(Settings.OIDC_CLIENT_ID);
    Optional<URI> publicUrl = settings.value(Settings.PUBLIC_URL);
    if (clientId.isEmpty() || publicUrl.isEmpty()) {
      throw new AppException(ErrorCode.BAD_REQUEST, Message.of("config.oidc-incomplete"));
    }
    URI address = URI.create(publicUrl.get().toString().replaceAll("/+$", "") + RETURN_PATH);
    return Optional.of(
        new OidcConfig(
            issuer,
            clientId,
            settings.value(Settings.OIDC_CLIENT_SECRET_FILE).map(OidcConfig::secret),
            settings.value(Settings.OIDC_SCOPES),
            settings.value(Settings.OIDC_USER_CLAIM),
            settings.value(Settings.OIDC_GROUPS_CLAIM),
            settings.value(Settings.OIDC_CREATE_USERS),
            address));
  }

  private static String secret(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new AppException(
          ErrorCode.BAD_REQUEST, Message.of("config.oidc-secret", "file", file.toString()));
    }
  }

  URI discovery() {
    return URI.create(issuer.replaceAll("/+$", "") + "/.well-known/openid-configuration");
  }
}
