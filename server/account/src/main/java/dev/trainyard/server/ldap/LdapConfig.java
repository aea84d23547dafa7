package dev.trainyard.server.ldap;

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
import java.util.Optional;

/**
 * Configuration of the LDAP directory.
 *
 * @param url an ldaps or ldap URL
 * @param startTls whether StartTLS is negotiated before any other request
 * @param userLookup method of finding the entry of a user
 * @param groupsAttribute the attribute of a user's entry that lists the groups
 * @param provisioning the policy for external users without a link to a local user
 */
record LdapConfig(
    URI url,
    boolean startTls,
    UserLookup userLookup,
    String groupsAttribute,
    ProvisioningPolicy provisioning) {
  /** Placeholder for the user name that was entered at the sign-in. */
  static final String USER_PLACEHOLDER = "{user}";

  /** Method of finding the entry of a user. */
  sealed interface UserLookup {}

  /**
   * Derives the distinguished name of the entry from the user name.
   *
   * @param pattern distinguished name with {@link #USER_PLACEHOLDER}
   */
  record ByDistinguishedName(String pattern) implements UserLookup {}

  /**
   * Searches the directory for the entry.
   *
   * @param filter search filter with {@link #USER_PLACEHOLDER}
   * @param account the account that performs the search; empty for an anonymous search, which the
   *     directory must permit
   */
  record BySearch(String base, String filter, Optional<Account> account) implements UserLookup {}

  /** The account that performs searches. */
  record Account(String dn, String password) {
    /** Omits the password because the result may be logged. */
    @Override
    public String toString() {
      return "Account[" + dn + "]";
    }
  }

  /**
   * Returns the configuration; empty if no directory is configured. Throws if the configuration is
   * incomplete.
   */
  static Optional<LdapConfig> of(Settings settings) {
    Optional<URI> url = settings.value(Settings.LDAP_URL);
    return url.map(
        directoryUrl ->
            new LdapConfig(
                directoryUrl,
                needsStartTls(directoryUrl),
                userLookup(settings),
                settings.value(Settings.LDAP_GROUPS_ATTRIBUTE),
                ProvisioningPolicy.of(settings.value(Settings.LDAP_CREATE_USERS))));
  }

  private static UserLookup userLookup(Settings settings) {
    String pattern = settings.value(Settings.LDAP_USER_DN);
    String base = settings.value(Settings.LDAP_SEARCH_BASE);
    String filter = settings.value(Settings.LDAP_SEARCH_FILTER);
    if (pattern.isEmpty() == base.isEmpty()) {
      throw badRequest(Message.of("config.ldap-place"));
    }
    if (!(base.isEmpty() ? pattern : filter).contains(USER_PLACEHOLDER)) {
      throw badRequest(Message.of("config.ldap-no-user"));
    }
    return base.isEmpty()
        ? new ByDistinguishedName(pattern)
        : new BySearch(base, filter, account(settings));
  }

  private static Optional<Account> account(Settings settings) {
    String dn = settings.value(Settings.LDAP_BIND_DN);
    Optional<Path> file = settings.value(Settings.LDAP_BIND_PASSWORD_FILE);
    if (dn.isEmpty() && file.isEmpty()) {
      return Optional.empty();
    }
    String name = file.map(Path::toString).orElse("--ldap-bind-password-file");
    try {
      String password = file.isPresent() ? Files.readString(file.get()).strip() : "";
      // A bind without a password would be an anonymous bind, which succeeds.
      if (!dn.isEmpty() && !password.isEmpty()) {
        return Optional.of(new Account(dn, password));
      }
    } catch (IOException e) {
      throw new AppException(
          ErrorCode.BAD_REQUEST, Message.of("config.ldap-account", "file", name));
    }
    throw badRequest(Message.of("config.ldap-account", "file", name));
  }

  private static AppException badRequest(Message message) {
    return new AppException(ErrorCode.BAD_REQUEST, message);
  }

  /**
   * Returns whether StartTLS is required, so that passwords are never sent in clear text over the
   * network.
   */
  private static boolean needsStartTls(URI url) {
    return url.getScheme().equals("ldap") && !Network.isLocalHost(url);
  }
}
