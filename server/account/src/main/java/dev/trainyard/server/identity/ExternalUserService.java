package dev.trainyard.server.identity;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.team.TeamService;
import dev.trainyard.server.user.IdentityStore;
import dev.trainyard.server.user.IdentityStore.Identity;
import dev.trainyard.server.user.NewUser;
import dev.trainyard.server.user.Profile;
import dev.trainyard.server.user.User;
import dev.trainyard.server.user.UserService;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maps an external user to a local user: the user that is linked to the external identity, or a new
 * user. An existing user is never matched by name or email. Thread-safe.
 */
public final class ExternalUserService {
  private static final Logger LOG = LoggerFactory.getLogger(ExternalUserService.class);

  private final String issuerKind;
  private final ProvisioningPolicy provisioning;
  private final String nameSource;
  private final Db db;
  private final UserService users;
  private final TeamService teams;
  private final Audit audit;
  private final Clock clock;

  /**
   * @param issuerKind the kind of issuer, for the audit log
   * @param provisioning the policy for external users without a link to a local user
   * @param nameSource the attribute or claim that contains user names; shown if it has no valid
   *     name
   */
  public ExternalUserService(
      String issuerKind,
      ProvisioningPolicy provisioning,
      String nameSource,
      Db db,
      UserService users,
      TeamService teams,
      Clock clock) {
    this.issuerKind = issuerKind;
    this.provisioning = provisioning;
    this.nameSource = nameSource;
    this.db = db;
    this.users = users;
    this.teams = teams;
    this.audit = new Audit(clock);
    this.clock = clock;
  }

  /**
   * Returns the local user of an authenticated external user. If there is none, creates the local
   * user if the policy permits this. Throws if the sign-in is not permitted; the message explains
   * why.
   *
   * @param isMember returns whether the external user is a member of the group with this external
   *     name
   */
  public User signIn(ExternalUser externalUser, Predicate<String> isMember, String address) {
    // User names cannot contain parentheses, so no user has this name.
    Actor provider = new Actor("", "(" + issuerKind + ")", "", address);
    if (db.read(handle -> findLinkedUser(handle, externalUser)).isEmpty()) {
      users.prepareNames(List.of(externalUser.name()));
    }
    LocalUser local =
        db.write(
            handle ->
                findLinkedUser(handle, externalUser)
                    .map(user -> new LocalUser(user, false))
                    .orElseGet(
                        () ->
                            new LocalUser(
                                createUser(handle, provider, externalUser, isMember), true)));
    User user = local.user();
    if (local.isNew()) {
      teams.notifyRightsChanged(user.id());
    }
    if (user.disabled()) {
      rejectDisabled(provider, user);
    }
    if (externalUser.groupsIncomplete()) {
      LOG.warn("incomplete group list for user {}; group memberships left unchanged", user.name());
    } else {
      teams.syncExternalMemberships(
          provider, user.name(), externalUser.identity().issuer(), isMember);
    }
    // Reload, because group membership may have granted administrator rights.
    return users.load(user.name());
  }

  private static Optional<User> findLinkedUser(Handle handle, ExternalUser externalUser) {
    return IdentityStore.userOf(handle, externalUser.identity());
  }

  /** The local user of an external user. */
  private record LocalUser(User user, boolean isNew) {}

  private User createUser(
      Handle handle, Actor provider, ExternalUser externalUser, Predicate<String> isMember) {
    Identity identity = externalUser.identity();
    if (provisioning == ProvisioningPolicy.REFUSED) {
      throw forbidden(
          Message.of("error.oidc-unknown", "subject", shellEscaped(identity))
              .with("issuer", identity.issuer()));
    }
    if (!UserService.isValidName(externalUser.name())) {
      throw forbidden(
          Message.of("error.oidc-no-name", "claim", nameSource)
              .with("subject", shellEscaped(identity))
              .with("issuer", identity.issuer()));
    }
    if (users.isTaken(handle, externalUser.name())) {
      // Only an administrator can decide whether both users are the same person.
      throw forbidden(
          Message.of("error.oidc-name-taken", "user", externalUser.name())
              .with("subject", shellEscaped(identity))
              .with("issuer", identity.issuer()));
    }
    Profile profile = new Profile(externalUser.email(), externalUser.displayName(), "", "{}");
    boolean needsApproval = provisioning == ProvisioningPolicy.APPROVED;
    NewUser newUser = NewUser.withoutPassword(externalUser.name(), profile, needsApproval);
    User user = users.insert(handle, provider, newUser);
    IdentityLinkService.add(handle, audit, provider, user, identity, clock.instant());
    if (!externalUser.groupsIncomplete()) {
      teams.addInitialMemberships(handle, provider, user.name(), identity.issuer(), isMember);
    }
    return user;
  }

  private void rejectDisabled(Actor provider, User user) {
    users.recordRejection(provider, user, Map.of("disabled", true));
    // If new users must be approved, a disabled user may await approval or may have been disabled
    // later, so the message covers both cases.
    boolean needsApproval = provisioning == ProvisioningPolicy.APPROVED;
    String messageCode = needsApproval ? "error.oidc-waiting" : "error.oidc-disabled";
    throw forbidden(Message.of(messageCode, "user", user.name()));
  }

  private static AppException forbidden(Message message) {
    return new AppException(ErrorCode.FORBIDDEN, message);
  }

  /** Returns the subject for the command in error messages, which encloses it in single quotes. */
  private static String shellEscaped(Identity identity) {
    return identity.subject().replace("'", "'\\''");
  }
}
