package dev.trainyard.server.user;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Ulid;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.team.InitialMembership;
import dev.trainyard.server.team.MembershipStore;
import dev.trainyard.server.token.TokenService;
import dev.trainyard.server.work.Requester;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jdbi.v3.core.Handle;

/**
 * Rules for users. Operations that disable or delete a user also revoke the user's tokens.
 * Thread-safe.
 */
public final class UserService {
  private final Db db;
  private final TokenService tokens;
  private final Passwords passwords;
  private final SignInThrottle throttle;
  private final FailedSignIns failedSignIns;
  private final UnfinishedJobs unfinishedJobs;
  private final Audit audit;
  private final Clock clock;
  private final List<Runnable> rightsListeners = new CopyOnWriteArrayList<>();
  private final Ulid ids;
  private final DeletedUsers deletedUsers;
  private volatile PendingSignUps pendingSignUps = PendingSignUps.NONE;
  private volatile Directory directory = Directory.NONE;

  public UserService(
      Db db, TokenService tokens, Passwords passwords, UnfinishedJobs unfinishedJobs, Clock clock) {
    this.db = db;
    this.tokens = tokens;
    this.passwords = passwords;
    this.throttle = new SignInThrottle(clock);
    this.failedSignIns = new FailedSignIns(clock);
    this.unfinishedJobs = unfinishedJobs;
    this.audit = new Audit(clock);
    this.clock = clock;
    this.ids = new Ulid(clock);
    this.deletedUsers = new DeletedUsers(db);
  }

  public Passwords passwords() {
    return passwords;
  }

  /**
   * Sets the source of pending sign-ups. Must be called once, before the server accepts requests.
   */
  public void setPendingSignUps(PendingSignUps source) {
    pendingSignUps = source;
  }

  /**
   * Sets the directory that checks external passwords. Must be called once, before the server
   * accepts requests.
   */
  public void setDirectory(Directory externalDirectory) {
    directory = externalDirectory;
  }

  /**
   * Sets how the files of deleted users are moved, and moves the files that an earlier server
   * process did not move. Must be called once, before users are created and jobs run.
   */
  public void setUserFiles(DeletedUserFiles files) {
    deletedUsers.setUserFiles(files);
    deletedUsers.moveAll();
  }

  /**
   * Retries moving the files of deleted users with these names. Must be called before a transaction
   * that calls {@link #insert}.
   */
  public void prepareNames(Collection<String> names) {
    deletedUsers.move(names);
  }

  /** Creates a user on behalf of the server. */
  public User create(String name, String password, boolean admin) {
    return create(Actor.SYSTEM, name, password, admin);
  }

  /**
   * @param password a validated password
   */
  public User create(Actor actor, String name, String password, boolean admin) {
    NewUser newUser =
        new NewUser(name, passwords.hash(password), admin, Profile.EMPTY, List.of(), List.of());
    prepareNames(List.of(name));
    return db.write(handle -> insert(handle, actor, newUser));
  }

  /** Creates a user, the profile and the memberships in the caller's transaction. */
  public User insert(Handle handle, Actor actor, NewUser newUser) {
    if (UserStore.find(handle, newUser.name()).isPresent()) {
      throw new AppException(
          ErrorCode.NAME_TAKEN, Message.of("error.user-taken", "user", newUser.name()));
    }
    if (DeletedUserStore.hasFiles(handle, newUser.name())) {
      throw new AppException(ErrorCode.CONFLICT, filesNotMovedMessage(newUser.name()));
    }
    int idRange = UserStore.nextIdRange(handle);
    // The time is truncated to milliseconds, the precision of the database.
    Instant created = Instant.ofEpochMilli(clock.millis());
    User user =
        new User(ids.next(), newUser.name(), newUser.admin(), newUser.disabled(), idRange, created);
    UserStore.insert(handle, user, newUser.passwordHash());
    ProfileStore.save(handle, user.id(), newUser.profile());
    InitialMembership.assign(handle, user.id(), newUser.groups(), newUser.virtualClusters());
    Map<String, Object> details = rights(user);
    if (!newUser.groups().isEmpty()) {
      details.put("groups", newUser.groups());
    }
    if (!newUser.virtualClusters().isEmpty()) {
      details.put("virtualClusters", newUser.virtualClusters());
    }
    audit.record(handle, actor, "user.create", target(user), Map.of(), details);
    return user;
  }

  static Message filesNotMovedMessage(String name) {
    return Message.of("error.user-files-left", "user", name);
  }

  /** Returns whether a user with this name exists; runs in the caller's transaction. */
  public boolean isTaken(Handle handle, String name) {
    return UserStore.find(handle, name).isPresent();
  }

  /** Returns whether this is a valid user name. */
  public static boolean isValidName(String name) {
    return UserNameRules.isValid(name);
  }

  /** Returns the external identities linked to this user. */
  public List<IdentityStore.Identity> identities(User user) {
    return db.read(handle -> IdentityStore.of(handle, user.id()));
  }

  /**
   * Records in the audit log that a sign-in of this user was rejected, unless too many such records
   * were written recently.
   */
  public void recordRejection(Actor actor, User user, Map<String, Object> reason) {
    OptionalLong omittedCount = failedSignIns.next();
    if (omittedCount.isEmpty()) {
      return;
    }
    Map<String, Object> details = new LinkedHashMap<>(reason);
    if (omittedCount.getAsLong() > 0) {
      details.put("unrecordedBefore", omittedCount.getAsLong());
    }
    db.write(
        handle -> {
          audit.record(handle, actor, "session.refuse", target(user), Map.of(), details);
          return null;
        });
  }

  public Optional<User> find(String name) {
    return db.read(handle -> UserStore.find(handle, name));
  }

  public User load(String name) {
    return find(name).orElseThrow(() -> notFound(name));
  }

  /** Returns the user named in the request path; {@code me} means the caller. */
  User load(Request request) {
    String name = request.path("name");
    return load(name.equals(UserNameRules.ME) ? request.caller().userName() : name);
  }

  /**
   * Like {@link #load(Request)}, but throws NOT_FOUND for other users unless the caller is an
   * administrator.
   */
  User loadVisible(Request request) {
    User user = load(request);
    Caller caller = request.caller();
    if (!caller.admin() && !user.id().equals(caller.userId())) {
      throw notFound(request.path("name"));
    }
    return user;
  }

  public List<User> list() {
    return db.read(UserStore::list);
  }

  boolean isEmpty() {
    return db.read(UserStore::isEmpty);
  }

  /** Returns the oldest enabled administrator, who represents the owner of the host. */
  public Optional<User> oldestAdministrator() {
    return db.read(handle -> UserStore.activeAdministrators(handle).stream().findFirst());
  }

  /**
   * Returns the user with these credentials. Throws the same error for an unknown user, a wrong
   * password and a disabled user.
   */
  public User signIn(String name, String password, String remoteAddress) {
    return signIn(name, password, remoteAddress, directory);
  }

  /** Throws unless this is the user's password on this server. */
  public void requirePassword(User user, String password, String remoteAddress) {
    signIn(user.name(), password, remoteAddress, Directory.NONE);
  }

  private User signIn(
      String name, String password, String remoteAddress, Directory externalDirectory) {
    if (name.length() > UserNameRules.MAX_LENGTH) {
      // The throttle keeps names in memory, so it must not receive a name that is too long for any
      // user.
      throw wrongCredentials();
    }
    // Other exceptions do not depend on the password, so they must not count as failures.
    try (SignInThrottle.Attempt attempt = begin(name, remoteAddress)) {
      Optional<User> user = find(name);
      Requester requester = Requester.current();
      Optional<User> signedIn =
          attempt
              .knownPairKey()
              .map(requester::withKey)
              .orElse(requester)
              .call(() -> verify(user, name, password, remoteAddress, externalDirectory));
      if (signedIn.isEmpty()) {
        attempt.failed();
        recordFailure(user, remoteAddress);
        throw wrongCredentials();
      }
      attempt.succeeded();
      return signedIn.get();
    }
  }

  private static AppException wrongCredentials() {
    return new AppException(ErrorCode.WRONG_CREDENTIALS, Message.of("error.wrong-credentials"));
  }

  private Optional<User> verify(
      Optional<User> user,
      String name,
      String password,
      String address,
      Directory externalDirectory) {
    Optional<PendingSignUps.PendingUser> pendingUser =
        db.read(handle -> pendingSignUps.find(handle, UserNameRules.key(name)))
            .filter(n -> user.isEmpty());
    Optional<String> hash =
        user.flatMap(existing -> db.read(handle -> UserStore.passwordHash(handle, existing.id())))
            .or(() -> pendingUser.map(PendingSignUps.PendingUser::passwordHash));
    boolean passwordMatches = passwords.verify(password, hash);
    if (passwordMatches && pendingUser.isPresent()) {
      throw new AppException(ErrorCode.FORBIDDEN, pendingUser.get().message());
    }
    // A user who has a password on this server is never looked up in the directory, where the name
    // may belong to another person. The name of a pending sign-up is looked up in the directory,
    // because anyone can sign up with the name of a directory user.
    return user.isPresent() && hash.isPresent()
        ? user.filter(existing -> passwordMatches && !existing.disabled())
        : externalDirectory.signIn(name, password, address);
  }

  private SignInThrottle.Attempt begin(String name, String remoteAddress) {
    try {
      return throttle.begin(name, remoteAddress);
    } catch (AppException e) {
      if (!SignInThrottle.isBusy(e)) {
        failedSignIns.omit();
      }
      throw e;
    }
  }

  /**
   * Records a failed sign-in. An unknown name is not recorded, because users sometimes type a
   * password into the name field.
   */
  private void recordFailure(Optional<User> user, String remoteAddress) {
    OptionalLong omittedCount = failedSignIns.next();
    if (omittedCount.isEmpty()) {
      return;
    }
    String auditTarget = user.map(UserService::target).orElse("user:?");
    Map<String, Object> details =
        omittedCount.getAsLong() == 0
            ? Map.of()
            : Map.of("unrecordedBefore", omittedCount.getAsLong());
    db.write(
        handle -> {
          Actor anonymous = Actor.unknown(remoteAddress);
          audit.record(handle, anonymous, "session.refuse", auditTarget, Map.of(), details);
          return null;
        });
  }

  /** Registers a listener that is called after {@link #change} has changed a user's rights. */
  public void onRightsChange(Runnable listener) {
    rightsListeners.add(listener);
  }

  public User change(
      Actor actor, String name, Optional<Boolean> admin, Optional<Boolean> disabled) {
    User changed =
        db.write(
            handle -> {
              User user = load(handle, name);
              boolean newAdmin = admin.orElse(user.admin());
              boolean newDisabled = disabled.orElse(user.disabled());
              if (!newAdmin || newDisabled) {
                requireAnotherAdministrator(handle, user);
              }
              if (admin.isPresent()) {
                changeAdmin(handle, user, newAdmin);
              }
              UserStore.setDisabled(handle, user.id(), newDisabled);
              if (newDisabled) {
                TokenService.revokeAll(handle, user.id());
              }
              User updated = load(handle, name);
              audit.record(
                  handle, actor, "user.change", target(user), rights(user), rights(updated));
              return updated;
            });
    tokens.forgetUser(changed.id());
    rightsListeners.forEach(Runnable::run);
    return changed;
  }

  private static void changeAdmin(Handle handle, User user, boolean admin) {
    List<String> groups = admin ? List.of() : MembershipStore.otherAdminGroups(handle, user.id());
    if (!groups.isEmpty()) {
      throw new AppException(
          ErrorCode.CONFLICT,
          Message.of("error.admin-by-group", "user", user.name())
              .with("groups", String.join(", ", groups)));
    }
    MembershipStore.setAdministrator(handle, user.id(), admin);
  }

  /**
   * Deletes the user and then moves the user's files to another path. If moving fails, it is
   * retried later.
   */
  public User delete(Actor actor, String name) {
    User deleted =
        db.write(
            handle -> {
              User user = load(handle, name);
              requireAnotherAdministrator(handle, user);
              int unfinishedCount = unfinishedJobs.count(handle, user.id());
              if (unfinishedCount > 0) {
                throw new AppException(
                    ErrorCode.CONFLICT,
                    Message.of("error.user-has-jobs", "user", user.name())
                        .with("count", unfinishedCount));
              }
              TokenService.revokeAll(handle, user.id());
              UserStore.delete(handle, user.id());
              DeletedUserStore.insert(handle, user);
              audit.record(handle, actor, "user.delete", target(user), rights(user), Map.of());
              return user;
            });
    tokens.forgetUser(deleted.id());
    deletedUsers.move(List.of(deleted.name()));
    return deleted;
  }

  /** Changes the password and ends all other sessions of the user. */
  public void changePassword(Actor actor, User user, String password) {
    changePassword(actor, user, password, false);
  }

  /**
   * Like {@link #changePassword(Actor, User, String)}.
   *
   * @param revokeApplicationTokens whether application tokens are revoked too
   */
  public void changePassword(
      Actor actor, User user, String password, boolean revokeApplicationTokens) {
    String hash = passwords.hash(password);
    db.write(
        handle -> {
          UserStore.changePassword(handle, user.id(), hash);
          if (revokeApplicationTokens) {
            TokenService.revokeOthers(handle, user.id(), actor.tokenId());
          } else {
            TokenService.revokeOtherSessions(handle, user.id(), actor.tokenId());
          }
          Map<String, Object> details =
              revokeApplicationTokens ? Map.of("tokensRevoked", true) : Map.of();
          audit.record(handle, actor, "user.password", target(user), Map.of(), details);
          return null;
        });
    tokens.forgetUser(user.id());
  }

  static String target(User user) {
    return "user:" + user.name();
  }

  private static Map<String, Object> rights(User user) {
    Map<String, Object> rights = new LinkedHashMap<>();
    rights.put("id", user.id());
    rights.put("admin", user.admin());
    rights.put("disabled", user.disabled());
    return rights;
  }

  private static void requireAnotherAdministrator(Handle handle, User user) {
    List<User> administrators = UserStore.activeAdministrators(handle);
    if (administrators.size() == 1 && administrators.getFirst().id().equals(user.id())) {
      throw new AppException(
          ErrorCode.CONFLICT, Message.of("error.last-admin", "user", user.name()));
    }
  }

  private static User load(Handle handle, String name) {
    return UserStore.find(handle, name).orElseThrow(() -> notFound(name));
  }

  static AppException notFound(String name) {
    return new AppException(ErrorCode.NOT_FOUND, Message.of("error.no-user", "user", name));
  }
}
