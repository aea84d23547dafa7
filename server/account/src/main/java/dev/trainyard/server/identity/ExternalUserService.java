package dev.trainyard.server.identity;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.team.TeamService;
import dev.trainyard.server.user.Identities;
import dev.trainyard.server.user.Identities.Identity;
import dev.trainyard.server.user.NewUser;
import dev.trainyard.server.user.Profile;
import dev.trainyard.server.user.User;
import dev.trainyard.server.user.UserService;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns a person into a user: the one they are linked with, or a new one; never one who only has
 * the same name or e-mail. Thread-safe.
 */
public final class ExternalUserService {
  private static final Logger LOG = LoggerFactory.getLogger(ExternalUserService.class);

  private final String issuerKind;
  private final ProvisioningPolicy newcomers;
  private final String nameSource;
  private final Db db;
  private final UserService users;
  private final TeamService teamService;
  private final Audit audit;
  private final Clock clock;

  /**
   * @param issuerKind which kind of place vouches, for the audit log
   * @param newcomers what becomes of those nobody knows
   * @param nameSource where their names come from, for those who have none
   */
  public ExternalUserService(
      String issuerKind,
      ProvisioningPolicy newcomers,
      String nameSource,
      Db db,
      UserService users,
      TeamService teamService,
      Clock clock) {
    this.issuerKind = issuerKind;
    this.newcomers = newcomers;
    this.nameSource = nameSource;
    this.db = db;
    this.users = users;
    this.teamService = teamService;
    this.audit = new Audit(clock);
    this.clock = clock;
  }

  /**
   * The user they are from now on; refuses with the reason.
   *
   * @param isIn whether they are in the group of this external name
   */
  public User signIn(ExternalUser externalUser, Predicate<String> isIn, String address) {
    // No user can be called that.
    Actor provider = new Actor("", "(" + issuerKind + ")", "", address);
    User user =
        db.write(
            handle -> known(handle, externalUser).orElseGet(() -> newcomer(handle, provider, externalUser)));
    if (user.disabled()) {
      refuse(provider, user);
    }
    if (externalUser.groupsLeftOut()) {
      LOG.warn("not all groups of {} were told; they stay as they are", user.name());
    } else {
      teamService.followOutside(provider, user.name(), externalUser.identity().issuer(), isIn);
    }
    // Groups may have made an administrator of them.
    return users.load(user.name());
  }

  private static Optional<User> known(Handle handle, ExternalUser externalUser) {
    return Identities.userOf(handle, externalUser.identity());
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
      // Only an administrator knows whether the two are the same person.
      throw refusal(
          Message.of("error.oidc-name-taken", "user", externalUser.name())
              .with("subject", typed(identity))
              .with("issuer", identity.issuer()));
    }
    Profile profile = new Profile(externalUser.email(), externalUser.displayName(), "", "{}");
    boolean waits = newcomers == ProvisioningPolicy.APPROVED;
    NewUser wanted = NewUser.withoutPassword(externalUser.name(), profile, waits);
    User user = users.insert(handle, provider, wanted);
    IdentityLinkService.add(handle, audit, provider, user, identity, clock.instant());
    return user;
  }

  private void refuse(Actor provider, User user) {
    users.recordRefusal(provider, user, Map.of("disabled", true));
    // Where newcomers begin disabled, nobody knows who is still one; the words fit both.
    boolean approval = newcomers == ProvisioningPolicy.APPROVED;
    String why = approval ? "error.oidc-waiting" : "error.oidc-disabled";
    throw refusal(Message.of(why, "user", user.name()));
  }

  private static AppException refusal(Message message) {
    return new AppException(ErrorCode.FORBIDDEN, message);
  }

  /** As it stands between quotes in the command that people are told to type. */
  private static String typed(Identity identity) {
    return identity.subject().replace("'", "'\\''");
  }
}
