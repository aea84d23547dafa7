package dev.trainyard.server.oidc;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.team.Group;
import dev.trainyard.server.team.Teams;
import dev.trainyard.server.user.User;
import dev.trainyard.server.user.UserService;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns a person of the provider into a user. Thread-safe. */
final class OidcSignIn {
  private static final Logger LOG = LoggerFactory.getLogger(OidcSignIn.class);

  private final OidcConfig config;
  private final Db db;
  private final UserService users;
  private final Teams teams;
  private final Audit audit;
  private final Clock clock;

  OidcSignIn(OidcConfig config, Db db, UserService users, Teams teams, Clock clock) {
    this.config = config;
    this.db = db;
    this.users = users;
    this.teams = teams;
    this.audit = new Audit(clock);
    this.clock = clock;
  }

  User signIn(Person person) {
    Optional<String> name =
        db.read(handle -> Identities.userOf(handle, person.issuer(), person.subject()));
    User user = name.isPresent() ? users.load(name.get()) : newcomer(person);
    if (user.disabled()) {
      throw new AppException(ErrorCode.WRONG_CREDENTIALS, Message.of("error.wrong-credentials"));
    }
    if (person.groupsTold()) {
      followGroups(user, person);
    }
    return users.load(user.name());
  }

  private User newcomer(Person person) {
    if (!config.createUsers()) {
      throw new AppException(
          ErrorCode.FORBIDDEN, Message.of("error.oidc-unknown", "subject", person.subject()));
    }
    if (!UserService.isName(person.name())) {
      throw new AppException(
          ErrorCode.FORBIDDEN, Message.of("error.oidc-no-name", "claim", config.userClaim()));
    }
    if (users.find(person.name()).isPresent()) {
      // Only an administrator knows whether the two are the same person.
      throw new AppException(
          ErrorCode.FORBIDDEN,
          Message.of("error.oidc-name-taken", "user", person.name())
              .with("subject", person.subject()));
    }
    User user = users.createWithoutPassword(Actor.SYSTEM, person.name());
    link(Actor.SYSTEM, user, person.subject());
    return user;
  }

  /** Says that a person of the provider is this user. */
  void link(Actor actor, User user, String subject) {
    db.write(
        handle -> {
          Optional<String> other = Identities.userOf(handle, config.issuer(), subject);
          if (other.isPresent()) {
            throw new AppException(
                ErrorCode.CONFLICT, Message.of("error.oidc-linked", "user", other.get()));
          }
          Identities.link(handle, config.issuer(), subject, user.id(), clock.instant());
          audit.record(
              handle,
              actor,
              "user.link",
              "user:" + user.name(),
              Map.of(),
              Map.of("issuer", config.issuer(), "subject", subject));
          return null;
        });
  }

  /** Takes back whatever {@link #link} said of a user. */
  void unlink(Actor actor, User user) {
    db.write(
        handle -> {
          List<String> subjects = Identities.subjects(handle, config.issuer(), user.id());
          if (Identities.unlink(handle, user.id())) {
            audit.record(
                handle,
                actor,
                "user.unlink",
                "user:" + user.name(),
                Map.of("issuer", config.issuer(), "subjects", subjects),
                Map.of());
          }
          return null;
        });
  }

  List<String> subjects(User user) {
    return db.read(handle -> Identities.subjects(handle, config.issuer(), user.id()));
  }

  /** Only groups that have a name outside are the provider's to decide. */
  private void followGroups(User user, Person person) {
    List<String> mine = teams.groupsOf(user.id());
    for (Group group : teams.groups()) {
      if (group.externalName().isEmpty()) {
        continue;
      }
      boolean wanted = person.groups().contains(group.externalName());
      try {
        if (wanted && !mine.contains(group.name())) {
          teams.addMember(Actor.SYSTEM, group.name(), user.name());
        } else if (!wanted && mine.contains(group.name())) {
          teams.removeMember(Actor.SYSTEM, group.name(), user.name());
        }
      } catch (AppException e) {
        // The last administrator stays one, whatever the provider says.
        LOG.warn("{} keeps to group {}: {}", user.name(), group.name(), e.getMessage());
      }
    }
  }
}
