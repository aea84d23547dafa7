package dev.trainyard.server.user;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Ulid;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.token.Tokens;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** The rules about users. What takes a right away takes the tokens with it. Thread-safe. */
public final class UserService {
  private final Db db;
  private final Tokens tokens;
  private final Passwords passwords;
  private final SignInThrottle throttle;
  private final UnfinishedJobs jobs;
  private final Clock clock;
  private final Ulid ids;

  public UserService(Db db, Tokens tokens, Passwords passwords, UnfinishedJobs jobs, Clock clock) {
    this.db = db;
    this.tokens = tokens;
    this.passwords = passwords;
    this.throttle = new SignInThrottle(clock);
    this.jobs = jobs;
    this.clock = clock;
    this.ids = new Ulid(clock);
  }

  Passwords passwords() {
    return passwords;
  }

  /**
   * @param password already found to be good enough
   */
  public User create(String name, String password, boolean admin) {
    String hash = passwords.hash(password);
    return db.write(
        handle -> {
          if (UserStore.find(handle, name).isPresent()) {
            throw new AppException(
                ErrorCode.NAME_TAKEN, Message.of("error.user-taken", "user", name));
          }
          int idRange = UserStore.nextIdRange(handle);
          // Milliseconds, because that is what comes back from the database.
          Instant created = Instant.ofEpochMilli(clock.millis());
          User user = new User(ids.next(), name, admin, false, idRange, created);
          UserStore.insert(handle, user, hash);
          return user;
        });
  }

  public Optional<User> find(String name) {
    return db.read(handle -> UserStore.find(handle, name));
  }

  public User load(String name) {
    return find(name).orElseThrow(() -> unknown(name));
  }

  public List<User> list() {
    return db.read(UserStore::list);
  }

  boolean isEmpty() {
    return db.read(UserStore::isEmpty);
  }

  /** The administrator who stands for the owner of the machine. */
  public Optional<User> oldestAdministrator() {
    return db.read(handle -> UserStore.activeAdministrators(handle).stream().findFirst());
  }

  /** The user whose name and password these are; the same refusal for every reason. */
  public User signIn(String name, String password, String remoteAddress) {
    SignInThrottle.Attempt attempt = throttle.begin(name, remoteAddress);
    Optional<User> user = find(name);
    Optional<String> hash =
        user.flatMap(known -> db.read(handle -> UserStore.passwordHash(handle, known.id())));
    if (!passwords.verify(password, hash) || user.get().disabled()) {
      throw new AppException(ErrorCode.WRONG_CREDENTIALS, Message.of("error.wrong-credentials"));
    }
    attempt.succeeded();
    return user.get();
  }

  public User change(String name, Optional<Boolean> admin, Optional<Boolean> disabled) {
    User changed =
        db.write(
            handle -> {
              User user = load(handle, name);
              boolean newAdmin = admin.orElse(user.admin());
              boolean newDisabled = disabled.orElse(user.disabled());
              if (!newAdmin || newDisabled) {
                requireAnotherAdministrator(handle, user);
              }
              UserStore.change(handle, user.id(), newAdmin, newDisabled);
              if (newDisabled) {
                Tokens.revokeAll(handle, user.id());
              }
              return load(handle, name);
            });
    tokens.forgetUser(changed.id());
    return changed;
  }

  /** Answers who was deleted, for those who keep something of theirs. */
  public User delete(String name) {
    User deleted =
        db.write(
            handle -> {
              User user = load(handle, name);
              requireAnotherAdministrator(handle, user);
              int unfinished = jobs.count(handle, user.id());
              if (unfinished > 0) {
                throw new AppException(
                    ErrorCode.CONFLICT,
                    Message.of("error.user-has-jobs", "user", user.name())
                        .with("count", unfinished));
              }
              Tokens.revokeAll(handle, user.id());
              UserStore.delete(handle, user.id());
              return user;
            });
    tokens.forgetUser(deleted.id());
    return deleted;
  }

  /** Ends every other session of the user, whoever may hold it. */
  public void changePassword(User user, String password, String exceptTokenId) {
    String hash = passwords.hash(password);
    db.write(
        handle -> {
          UserStore.changePassword(handle, user.id(), hash);
          Tokens.revokeOtherSessions(handle, user.id(), exceptTokenId);
          return null;
        });
    tokens.forgetUser(user.id());
  }

  private static void requireAnotherAdministrator(Handle handle, User user) {
    List<User> administrators = UserStore.activeAdministrators(handle);
    if (administrators.size() == 1 && administrators.getFirst().id().equals(user.id())) {
      throw new AppException(
          ErrorCode.CONFLICT, Message.of("error.last-admin", "user", user.name()));
    }
  }

  private static User load(Handle handle, String name) {
    return UserStore.find(handle, name).orElseThrow(() -> unknown(name));
  }

  static AppException unknown(String name) {
    return new AppException(ErrorCode.NOT_FOUND, Message.of("error.no-user", "user", name));
  }
}
