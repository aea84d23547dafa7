package dev.trainyard.server.signup;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Ulid;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.team.InitialMembership;
import dev.trainyard.server.team.TeamService;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Creates, lists, decides and withdraws requests of users. Thread-safe. */
final class UserRequests {
  private static final int MAX_OPEN_REQUESTS = 20;

  private final Db db;
  private final TeamService teams;
  private final Audit audit;
  private final Clock clock;
  private final Ulid ids;

  UserRequests(Db db, TeamService teams, Clock clock) {
    this.db = db;
    this.teams = teams;
    this.audit = new Audit(clock);
    this.clock = clock;
    this.ids = new Ulid(clock);
  }

  UserRequest create(Actor actor, String kind, String subject, String reason) {
    String id = ids.next();
    return db.write(
        handle -> {
          int openCount = UserRequestStore.countOpen(handle, actor.userId());
          if (openCount >= MAX_OPEN_REQUESTS) {
            throw new AppException(
                ErrorCode.CONFLICT,
                Message.of("error.too-many-requests-open", "most", MAX_OPEN_REQUESTS));
          }
          UserRequestStore.insert(
              handle, id, actor.userId(), kind, subject, reason, clock.instant());
          Map<String, Object> details = Map.of("kind", kind, "what", subject);
          audit.record(handle, actor, "request.create", "request:" + id, Map.of(), details);
          return load(handle, id);
        });
  }

  /**
   * Returns requests, newest first.
   *
   * @param userId only requests of this user; empty for all users
   * @param state only requests in this state; empty for any state
   * @param before only requests older than the request with this ID; empty for all requests
   */
  List<UserRequest> list(
      Optional<String> userId, Optional<String> state, Optional<String> before, int limit) {
    return db.read(handle -> UserRequestStore.list(handle, userId, state, before, limit));
  }

  UserRequest reject(Actor actor, String id, String adminMessage) {
    return db.write(
        handle -> decide(handle, actor, id, UserRequest.REFUSED, adminMessage, List.of()));
  }

  /** Approves a request and adds the user to the given groups, in one transaction. */
  UserRequest grant(Actor actor, String id, String adminMessage, List<String> groups) {
    UserRequest grantedRequest =
        db.write(
            handle -> {
              InitialMembership.requireGroups(handle, groups);
              UserRequest decidedRequest =
                  decide(handle, actor, id, UserRequest.GRANTED, adminMessage, groups);
              teams.addToGroups(handle, actor, decidedRequest.userName(), groups);
              return decidedRequest;
            });
    if (!groups.isEmpty()) {
      teams.notifyRightsChanged(grantedRequest.userId());
    }
    return grantedRequest;
  }

  /** Decides an open request. If two decisions are made concurrently, only one takes effect. */
  private UserRequest decide(
      Handle handle,
      Actor actor,
      String id,
      String state,
      String adminMessage,
      List<String> groups) {
    UserRequest previous = load(handle, id);
    if (!UserRequestStore.decide(
        handle, id, state, adminMessage, clock.instant(), actor.userName())) {
      throw new AppException(ErrorCode.CONFLICT, Message.of("error.request-decided"));
    }
    String action = state.equals(UserRequest.GRANTED) ? "request.grant" : "request.refuse";
    Map<String, Object> requestDetails =
        Map.of("user", previous.userName(), "kind", previous.kind(), "what", previous.subject());
    Map<String, Object> details = new LinkedHashMap<>(Map.of("state", state, "word", adminMessage));
    if (!groups.isEmpty()) {
      details.put("groups", groups);
    }
    audit.record(handle, actor, action, "request:" + id, requestDetails, details);
    return load(handle, id);
  }

  /** Withdraws a request of the actor; throws if the request is already decided. */
  void withdraw(Actor actor, String id) {
    db.write(
        handle -> {
          UserRequest previous = load(handle, id);
          if (!previous.userId().equals(actor.userId())) {
            throw notFound(id);
          }
          if (!previous.state().equals(UserRequest.OPEN)) {
            throw new AppException(ErrorCode.CONFLICT, Message.of("error.request-decided"));
          }
          UserRequestStore.delete(handle, id);
          Map<String, Object> before = Map.of("kind", previous.kind(), "what", previous.subject());
          audit.record(handle, actor, "request.withdraw", "request:" + id, before, Map.of());
          return null;
        });
  }

  private static UserRequest load(Handle handle, String id) {
    return UserRequestStore.find(handle, id).orElseThrow(() -> notFound(id));
  }

  private static AppException notFound(String id) {
    return new AppException(ErrorCode.NOT_FOUND, Message.of("error.no-request", "id", id));
  }
}
