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
 * Maps an external user to a local user: the linked one, or a new one. An existing user is never
 * matched by name or email alone. Thread-safe.
 */
public final class ExternalUserService {
  private static final Logger LOG = LoggerFactory.getLogger(ExternalUserService.class);

  private final String issuerKind;
  private final ProvisioningPolicy newcomers;
  private final String nameSource;
  private final Db db;
  private final UserService users;
  private final TeamService teams;
  private final Audit audit;
  private final Clock clock;

  /**
   * @param issuerKind the kind of issuer, for the audit log
   * @param newcomers the policy for external users without a link to a local user
   * @param nameSource the attribute or claim that supplies user names; shown if a valid name is
   *     missing
   */
  public ExternalUserService(
      String issuerKind,
      ProvisioningPolicy newcomers,
      String nameSource,
      Db db,
      UserService users,
      TeamService teams,
      Clock clock) {
    this.issuerKind = issuerKind;
    this.newcomers = newcomers;
    this.nameSource = nameSource;
    this.db = db;
    this.users = users;
    this.teams = teams;
    this.audit = new Audit(clock);
    this.clock = clock;
  }

  /**
   * Returns the local user of an authenticated external user, and creates it if the policy allows
   * that. Throws if sign-in is not permitted; the message explains why.
   *
   * @param isIn whether the external user is a member of the group with this external name
   */
  public User signIn(ExternalUser externalUser, Predicate<String> isIn, String address) {
    // Not a valid user name, so it cannot collide with one.
    Actor provider = new Actor("", "(" + issuerKind + ")", "", address);
    if (db.read(handle -> known(handle, externalUser)).isEmpty()) {
      users.prepareNames(List.of(externalUser.name()));
    }
    User user =
        db.write(
            handle ->
                known(handle, externalUser)
                    .orElseGet(() -> newcomer(handle, provider, externalUser)));
    if (user.disabled()) {
      refuse(provider, user);
    }
    if (externalUser.groupsLeftOut()) {
      LOG.warn("incomplete group list for user {}; group memberships left unchanged", user.name());
    } else {
      teams.followOutside(provider, user.name(), externalUser.identity().issuer(), isIn);
    }
    // Reload, because group membership may have granted administrator rights.
    return users.load(user.name());
  }

  private static Optional<User> known(Handle handle, ExternalUser externalUser) {
    return IdentityStore.userOf(handle, externalUser.identity());
  }

  private User newcomer(Handle handle, Actor provider, ExternalUser externalUser) {
    Identity identity = externalUser.identity();
    if (newcomers == ProvisioningPolicy.REFUSED) {
      throw refusal(
          Message.of("error.oidc-unknown", "subject", typed(identity))
              .with("issuer", identity.issuer()));
    }
    if (!UserService.isName(externalUser.name())) {
      throw refusal(
          Message.of("error.oidc-no-name", "claim", nameSource)
              .with("subject", typed(identity))
              .with("issuer", identity.issuer()));
    }
    if (users.isTaken(handle, externalUser.name())) {
      // Only an administrator can decide whether both are the same person.
      throw refusal(
          Message.of("error.oidc-name-taken", "user", externalUser.name())
              .with("subject", typed(identity))
              .with("issuer", identity.issuer()));
    }
    Profile profile = new Profile(externalUser.email(), externalUser.displayName(), "", "{}");
    boolean waits = newcomers == ProvisioningPolicy.APPROVED;
    NewUser newUser = NewUser.withoutPassword(externalUser.name(), profile, waits);
    User user = users.insert(handle, provider, newUser);
    IdentityLinkService.add(handle, audit, provider, user, identity, clock.instant());
    return user;
  }

  private void refuse(Actor provider, User user) {
    users.recordRefusal(provider, user, Map.of("disabled", true));
    // If new users start disabled, it is unknown whether a disabled user awaits approval or was
    // disabled later; the message covers both cases.
    boolean approval = newcomers == ProvisioningPolicy.APPROVED;
    String why = approval ? "error.oidc-waiting" : "error.oidc-disabled";
    throw refusal(Message.of(why, "user", user.name()));
  }

  private static AppException refusal(Message message) {
    return new AppException(ErrorCode.FORBIDDEN, message);
  }

  /** Returns the subject, escaped for single quotes, for the command shown in error messages. */
  private static String typed(Identity identity) {
    return identity.subject().replace("'", "'\\''");
  }
}
