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
 * Which directory is asked, and how.
 *
 * @param url ldaps or ldap
 * @param startTls whether a connection is made secure before anything is said
 * @param place how the entry of a person is found
 * @param groupsAttribute which attribute of the entry lists the groups
 */
record LdapConfig(
    URI url, boolean startTls, Place place, String groupsAttribute, ProvisioningPolicy newcomers) {
  /** Stands for the name of whoever signs in. */
  static final String USER = "{user}";

  /** Where the entry of a person is. */
  sealed interface Place {}

  /**
   * By its name.
   *
   * @param pattern with {@link #USER}
   */
  record ByName(String pattern) implements Place {}

  /**
   * By a search.
   *
   * @param filter with {@link #USER}
   * @param account who searches; empty for nobody, where the directory allows that
   */
  record BySearch(String base, String filter, Optional<Account> account) implements Place {}

  /** Who searches. */
  record Account(String dn, String password) {
    /** Not the password: this may end in a log. */
    @Override
    public String toString() {
      return "Account[" + dn + "]";
    }
  }

  /** Empty where no directory is configured; refuses half a configuration. */
  static Optional<LdapConfig> of(Settings settings) {
    Optional<URI> url = settings.value(Settings.LDAP_URL);
    return url.map(
        known ->
            new LdapConfig(
                known,
                needsStartTls(known),
                place(settings),
                settings.value(Settings.LDAP_GROUPS_ATTRIBUTE),
                ProvisioningPolicy.of(settings.value(Settings.LDAP_CREATE_USERS))));
  }

  private static Place place(Settings settings) {
    String pattern = settings.value(Settings.LDAP_USER_DN);
    String base = settings.value(Settings.LDAP_SEARCH_BASE);
    String filter = settings.value(Settings.LDAP_SEARCH_FILTER);
    if (pattern.isEmpty() == base.isEmpty()) {
      throw refused(Message.of("config.ldap-place"));
    }
    if (!(base.isEmpty() ? pattern : filter).contains(USER)) {
      throw refused(Message.of("config.ldap-no-user"));
    }
    return base.isEmpty() ? new ByName(pattern) : new BySearch(base, filter, account(settings));
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
      // A bind without a password is a bind as nobody, which would look like a success.
      if (!dn.isEmpty() && !password.isEmpty()) {
        return Optional.of(new Account(dn, password));
      }
    } catch (IOException e) {
      throw new AppException(
          ErrorCode.BAD_REQUEST, Message.of("config.ldap-account", "file", name));
    }
    throw refused(Message.of("config.ldap-account", "file", name));
  }

  private static AppException refused(Message message) {
    return new AppException(ErrorCode.BAD_REQUEST, message);
  }

  /** No password goes over a network that others may listen to. */
  private static boolean needsStartTls(URI url) {
    return url.getScheme().equals("ldap") && !Network.isThisMachine(url);
  }
}
