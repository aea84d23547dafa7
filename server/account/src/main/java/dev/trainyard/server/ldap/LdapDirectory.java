package dev.trainyard.server.ldap;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.config.Settings;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.identity.ExternalUser;
import dev.trainyard.server.identity.ExternalUserService;
import dev.trainyard.server.team.TeamService;
import dev.trainyard.server.user.Directory;
import dev.trainyard.server.user.User;
import dev.trainyard.server.user.UserService;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.naming.directory.SearchResult;
import javax.net.ssl.SSLSocketFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Verifies passwords by an LDAP bind. Thread-safe. */
public final class LdapDirectory implements Directory {
  /** Issuer of all external identities from the directory. */
  public static final String ISSUER = "ldap";

  private static final Logger LOG = LoggerFactory.getLogger(LdapDirectory.class);

  private final LdapConfig config;
  private final ExternalUserService externalUserService;
  private final SSLSocketFactory sslSocketFactory;

  LdapDirectory(
      LdapConfig config,
      ExternalUserService externalUserService,
      SSLSocketFactory sslSocketFactory) {
    this.config = config;
    this.externalUserService = externalUserService;
    this.sslSocketFactory = sslSocketFactory;
  }

  /** Returns the directory configured in the settings; empty if none is configured. */
  public static Optional<Directory> of(
      Settings settings, Db db, UserService users, TeamService teams, Clock clock) {
    return LdapConfig.of(settings)
        .map(
            config ->
                new LdapDirectory(
                    config,
                    new ExternalUserService(
                        ISSUER, config.provisioning(), "", db, users, teams, clock),
                    (SSLSocketFactory) SSLSocketFactory.getDefault()));
  }

  @Override
  public Optional<User> signIn(String name, String password, String address) {
    // Valid user names are plain ASCII, so a directory cannot treat two different names as equal,
    // apart from case.
    if (password.isEmpty() || !UserService.isValidName(name)) {
      return Optional.empty();
    }
    Optional<LdapEntry> entry;
    try {
      entry = authenticate(name, password);
    } catch (NamingException e) {
      LOG.warn("failed to query the directory {}", config.url(), e);
      throw new AppException(ErrorCode.UNAVAILABLE, Message.of("error.ldap-unreachable"));
    }
    return entry.map(
        ldapEntry -> {
          ExternalUser externalUser = ldapEntry.externalUser(name);
          return externalUserService.signIn(externalUser, ldapEntry::isMemberOf, address);
        });
  }

  private Optional<LdapEntry> authenticate(String name, String password) throws NamingException {
    return switch (config.userLookup()) {
      case LdapConfig.ByDistinguishedName(String pattern) ->
          authenticateByDn(LdapText.dn(pattern, name), password);
      case LdapConfig.BySearch lookup -> authenticateBySearch(lookup, name, password);
    };
  }

  private Optional<LdapEntry> authenticateByDn(String dn, String password) throws NamingException {
    try (LdapConnection connection = LdapConnection.open(config, sslSocketFactory)) {
      if (!connection.bind(dn, password)) {
        return Optional.empty();
      }
      return Optional.of(
          LdapEntry.of(dn, connection.read(dn, requestedAttributes()), config.groupsAttribute()));
    } catch (NameNotFoundException e) {
      return Optional.empty();
    }
  }

  private Optional<LdapEntry> authenticateBySearch(
      LdapConfig.BySearch lookup, String name, String password) throws NamingException {
    List<SearchResult> results;
    try (LdapConnection connection = LdapConnection.open(config, sslSocketFactory)) {
      if (lookup.account().isPresent()
          && !connection.bind(lookup.account().get().dn(), lookup.account().get().password())) {
        throw new NamingException(
            "the directory rejected the search account " + lookup.account().get().dn());
      }
      results =
          connection.search(
              lookup.base(), LdapText.filter(lookup.filter(), name), requestedAttributes());
    }
    if (results.size() != 1) {
      LOG.debug("the directory has {} entries for user {}", results.size(), name);
      return Optional.empty();
    }
    String dn = results.getFirst().getNameInNamespace();
    try (LdapConnection connection = LdapConnection.open(config, sslSocketFactory)) {
      return connection.bind(dn, password)
          ? Optional.of(
              LdapEntry.of(dn, results.getFirst().getAttributes(), config.groupsAttribute()))
          : Optional.empty();
    }
  }

  private String[] requestedAttributes() {
    return LdapEntry.attributes(config.groupsAttribute());
  }
}
