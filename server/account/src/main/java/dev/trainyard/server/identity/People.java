package dev.trainyard.server.identity;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.team.Teams;
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
public final class People {
  private static final Logger LOG = LoggerFactory.getLogger(People.class);

  private final String issuerKind;
  private final NewcomerRule newcomers;
  private final String nameSource;
  private final Db db;
  private final UserService users;
  private final Teams teams;
  private final Audit audit;
  private final Clock clock;

  /**
   * @param issuerKind which kind of place vouches, for the audit log
   * @param newcomers what becomes of those nobody knows
   * @param nameSource where their names come from, for those who have none
   */
  public People(
      String issuerKind,
      NewcomerRule newcomers,
      String nameSource,
      Db db,
      UserService users,
      Teams teams,
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
   * The user they are from now on; refuses with the reason.
   *
   * @param isIn whether they are in the group of this external name
   */
  public User signIn(Person person, Predicate<String> isIn, String address) {
    // No user can be called that.
    Actor provider = new Actor("", "(" + issuerKind + ")", "", address);
    User user =
        db.write(
            handle -> known(handle, person).orElseGet(() -> newcomer(handle, provider, person)));
    if (user.disabled()) {
      refuse(provider, user);
    }
    if (person.groupsLeftOut()) {
      LOG.warn("not all groups of {} were told; they stay as they are", user.name());
    } else {
      teams.followOutside(provider, user.name(), person.identity().issuer(), isIn);
    }
    // Groups may have made an administrator of them.
    return users.load(user.name());
  }

  private static Optional<User> known(Handle handle, Person person) {
    return Identities.userOf(handle, person.identity());
  }

  private User newcomer(Handle handle, Actor provider, Person person) {
    Identity identity = person.identity();
    if (newcomers == NewcomerRule.REFUSED) {
      throw refusal(
          Message.of("error.oidc-unknown", "subject", typed(identity))
              .with("issuer", identity.issuer()));
    }
    if (!UserService.isName(person.name())) {
      throw refusal(
          Message.of("error.oidc-no-name", "claim", nameSource)
              .with("subject", typed(identity))
              .with("issuer", identity.issuer()));
    }
    if (users.isTaken(handle, person.name())) {
      // Only an administrator knows whether the two are the same person.
      throw refusal(
          Message.of("error.oidc-name-taken", "user", person.name())
              .with("subject", typed(identity))
              .with("issuer", identity.issuer()));
    }
    Profile profile = new Profile(person.email(), person.displayName(), "", "{}");
    boolean waits = newcomers == NewcomerRule.APPROVED;
    NewUser wanted = NewUser.withoutPassword(person.name(), profile, waits);
    User user = users.insert(handle, provider, wanted);
    Links.add(handle, audit, provider, user, identity, clock.instant());
    return user;
  }

  private void refuse(Actor provider, User user) {
    users.recordRefusal(provider, user, Map.of("disabled", true));
    // Where newcomers begin disabled, nobody knows who is still one; the words fit both.
    boolean approval = newcomers == NewcomerRule.APPROVED;
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
