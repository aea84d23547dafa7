package dev.trainyard.server.signup;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import dev.trainyard.model.Ulid;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.team.InitialMembership;
import dev.trainyard.server.user.NewUser;
import dev.trainyard.server.user.PendingSignUps;
import dev.trainyard.server.user.Profile;
import dev.trainyard.server.user.User;
import dev.trainyard.server.user.UserNameRules;
import dev.trainyard.server.user.UserService;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Rules for signing up, and for approving or rejecting sign-ups. Thread-safe. */
final class SignUp implements PendingSignUps {
  private static final int MAX_PENDING = 1000;
  private static final Duration REJECTED_RETENTION = Duration.ofDays(30);

  private final Db db;
  private final UserService users;
  private final SignUpThrottle throttle;
  private final Audit audit;
  private final Clock clock;
  private final Ulid ids;

  SignUp(Db db, UserService users, Clock clock) {
    this.db = db;
    this.users = users;
    this.throttle = new SignUpThrottle(clock);
    this.audit = new Audit(clock);
    this.clock = clock;
    this.ids = new Ulid(clock);
  }

  /** The validated data of a sign-up. */
  record Form(
      String name, String password, Profile profile, Optional<String> code, String message) {
    /** Omits the password and the code because the result may be logged. */
    @Override
    public String toString() {
      return "Form[" + name + "]";
    }
  }

  SignUpSettings settings() {
    return db.read(SignUpSettingsStore::load);
  }

  void change(Actor actor, SignUpSettings settings) {
    db.write(
        handle -> {
          SignUpSettings previous = SignUpSettingsStore.load(handle);
          SignUpSettingsStore.save(handle, settings);
          audit.record(
              handle, actor, "signup.settings", "signup", previous.view(), settings.view());
          return null;
        });
  }

  /**
   * Signs up a user. Returns whether the user was created; if not, the sign-up awaits the approval
   * of an administrator.
   */
  boolean signUp(Form form, String address) {
    SignUpMode mode = settings().mode();
    if (mode == SignUpMode.CLOSED) {
      throw new AppException(ErrorCode.FORBIDDEN, Message.of("error.sign-up-closed"));
    }
    if (mode == SignUpMode.CODE && form.code().isEmpty()) {
      throw new AppException(
          ErrorCode.BAD_REQUEST,
          Message.of("error.bad-fields", "count", 1),
          List.of(Problem.at("code", Message.of("error.field-missing"))));
    }
    if (form.code().isEmpty()) {
      return throttle.withoutCode(address, () -> signUp(form, mode, Optional.empty(), address));
    }
    String codeHash = InvitationService.hash(form.code().get());
    // The code is checked before the name, so that callers without a valid code cannot find out
    // which users exist.
    if (!db.read(handle -> InvitationStore.isUsable(handle, codeHash, clock.instant()))) {
      throttle.countInvalidCode(address);
      throw invalidCode();
    }
    return throttle.withValidCode(
        codeHash, () -> signUp(form, mode, Optional.of(codeHash), address));
  }

  private boolean signUp(Form form, SignUpMode mode, Optional<String> codeHash, String address) {
    String passwordHash = users.passwords().hash(form.password());
    boolean needsApproval = mode == SignUpMode.APPROVAL && codeHash.isEmpty();
    if (!needsApproval) {
      users.prepareNames(List.of(form.name()));
    }
    db.write(
        handle -> {
          requireNameAvailable(handle, form.name());
          if (needsApproval) {
            addApplicant(handle, form, passwordHash, address);
          } else {
            createUser(handle, form, passwordHash, codeHash, address);
          }
          return null;
        });
    return !needsApproval;
  }

  /**
   * Rejects a name for which a sign-up is pending. Callers who may sign up thereby learn that a
   * name is taken, which is unavoidable; guessing names is throttled.
   */
  private void requireNameAvailable(Handle handle, String name) {
    String key = UserNameRules.key(name);
    ApplicantStore.deleteRejected(handle, key, clock.instant().minus(REJECTED_RETENTION));
    if (ApplicantStore.findByKey(handle, key).isPresent()) {
      throw new AppException(ErrorCode.NAME_TAKEN, Message.of("error.user-taken", "user", name));
    }
  }

  private void createUser(
      Handle handle, Form form, String passwordHash, Optional<String> codeHash, String address) {
    Optional<Invitation> invitation =
        codeHash.map(
            storedHash ->
                InvitationStore.use(handle, storedHash, clock.instant())
                    .orElseThrow(SignUp::invalidCode));
    // Deleted groups are ignored, because the deletion of a group must not invalidate the
    // invitation.
    List<String> groups =
        invitation.map(Invitation::groups).orElse(List.of()).stream()
            .filter(group -> InitialMembership.groupProblem(handle, group).isEmpty())
            .toList();
    NewUser newUser =
        new NewUser(form.name(), passwordHash, false, form.profile(), groups, List.of());
    User user = insert(handle, Actor.unknown(address), newUser);
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("how", invitation.isPresent() ? "code" : "open");
    invitation.ifPresent(usedInvitation -> details.put("invitation", usedInvitation.id()));
    Actor self = new Actor(user.id(), user.name(), "", address);
    audit.record(handle, self, "signup.enter", target(user.name()), Map.of(), details);
  }

  private User insert(Handle handle, Actor actor, NewUser newUser) {
    User user = users.insert(handle, actor, newUser);
    InitialMembership.replaceDefault(
        handle, user.id(), newUser.groups(), newUser.virtualClusters());
    return user;
  }

  private void addApplicant(Handle handle, Form form, String passwordHash, String address) {
    if (users.isTaken(handle, form.name())) {
      throw new AppException(
          ErrorCode.NAME_TAKEN, Message.of("error.user-taken", "user", form.name()));
    }
    if (ApplicantStore.countPending(handle) >= MAX_PENDING) {
      throw new AppException(ErrorCode.CONFLICT, Message.of("error.too-many-newcomers"));
    }
    ApplicantStore.insert(
        handle,
        new Applicant(
            ids.next(),
            form.name(),
            passwordHash,
            form.profile(),
            form.message(),
            address,
            clock.instant(),
            false,
            ""));
    Actor applicant = Actor.unknown(address);
    audit.record(handle, applicant, "signup.ask", target(form.name()), Map.of(), Map.of());
  }

  List<Applicant> pending() {
    return db.read(ApplicantStore::list);
  }

  User approve(Actor actor, String id, List<String> groups) {
    users.prepareNames(
        db.read(handle -> ApplicantStore.find(handle, id)).stream().map(Applicant::name).toList());
    return db.write(
        handle -> {
          Applicant applicant = loadPending(handle, id);
          for (String group : groups) {
            InitialMembership.groupProblem(handle, group)
                .ifPresent(
                    problem -> {
                      throw new AppException(ErrorCode.BAD_REQUEST, problem);
                    });
          }
          ApplicantStore.delete(handle, id);
          audit.record(
              handle, actor, "signup.approve", target(applicant.name()), Map.of(), Map.of());
          return insert(
              handle,
              actor,
              new NewUser(
                  applicant.name(),
                  applicant.passwordHash(),
                  false,
                  applicant.profile(),
                  groups,
                  List.of()));
        });
  }

  void reject(Actor actor, String id, String adminMessage) {
    db.write(
        handle -> {
          Applicant applicant = loadPending(handle, id);
          ApplicantStore.reject(handle, id, adminMessage, actor.userName(), clock.instant());
          Map<String, Object> details = Map.of("word", adminMessage);
          audit.record(handle, actor, "signup.refuse", target(applicant.name()), Map.of(), details);
          return null;
        });
  }

  private static Applicant loadPending(Handle handle, String id) {
    return ApplicantStore.find(handle, id)
        .filter(applicant -> !applicant.rejected())
        .orElseThrow(
            () -> new AppException(ErrorCode.NOT_FOUND, Message.of("error.no-newcomer", "id", id)));
  }

  @Override
  public Optional<PendingSignUps.PendingUser> find(Handle handle, String nameKey) {
    return ApplicantStore.findByKey(handle, nameKey)
        .map(
            applicant ->
                new PendingSignUps.PendingUser(applicant.passwordHash(), message(applicant)));
  }

  private static Message message(Applicant applicant) {
    if (!applicant.rejected()) {
      return Message.of("error.sign-up-waits");
    }
    return applicant.adminMessage().isEmpty()
        ? Message.of("error.sign-up-refused")
        : Message.of("error.sign-up-refused-with", "word", applicant.adminMessage());
  }

  private static String target(String name) {
    return "user:" + name;
  }

  private static AppException invalidCode() {
    return new AppException(ErrorCode.FORBIDDEN, Message.of("error.bad-code"));
  }
}
