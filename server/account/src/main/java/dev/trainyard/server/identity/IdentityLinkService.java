package dev.trainyard.server.identity;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.team.TeamService;
import dev.trainyard.server.token.TokenService;
import dev.trainyard.server.user.IdentityStore;
import dev.trainyard.server.user.IdentityStore.Identity;
import dev.trainyard.server.user.User;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jdbi.v3.core.Handle;

/** Links external identities to users and removes such links. Thread-safe. */
public final class IdentityLinkService {
  private final Db db;
  private final TeamService teams;
  private final TokenService tokens;
  private final Audit audit;
  private final Clock clock;

  public IdentityLinkService(Db db, TeamService teams, TokenService tokens, Clock clock) {
    this.db = db;
    this.teams = teams;
    this.tokens = tokens;
    this.audit = new Audit(clock);
    this.clock = clock;
  }

  void link(Actor actor, User user, Identity identity) {
    db.write(
        handle -> {
          add(handle, audit, actor, user, identity, clock.instant());
          return null;
        });
  }

  /** Adds a link in the caller's transaction; does nothing if the link already exists. */
  static void add(
      Handle handle, Audit audit, Actor actor, User user, Identity identity, Instant now) {
    Optional<User> linkedUser = IdentityStore.userOf(handle, identity);
    if (linkedUser.isPresent() && !linkedUser.get().id().equals(user.id())) {
      throw new AppException(
          ErrorCode.CONFLICT, Message.of("error.oidc-linked", "user", linkedUser.get().name()));
    }
    if (linkedUser.isEmpty()) {
      IdentityStore.link(handle, identity, user.id(), now);
      audit.record(handle, actor, "user.link", target(user), Map.of(), view(identity));
    }
  }

  /**
   * Removes links of a user and ends the user's sessions, except the session of the actor. If the
   * user has no other link of an issuer, also removes the user from the groups to which this issuer
   * has added the user.
   *
   * @param issuer removes only links of this issuer; empty for any issuer
   * @param subject removes only the link of this subject; empty for all subjects
   */
  void unlink(Actor actor, User user, Optional<String> issuer, Optional<String> subject) {
    Set<String> unlinkedIssuers =
        db.write(
            handle -> {
              List<Identity> links = IdentityStore.of(handle, user.id());
              List<Identity> removedLinks =
                  links.stream()
                      .filter(
                          identity -> identity.issuer().equals(issuer.orElse(identity.issuer())))
                      .filter(
                          identity -> identity.subject().equals(subject.orElse(identity.subject())))
                      .toList();
              Optional<String> subjectOrIssuer = subject.or(() -> issuer);
              if (removedLinks.isEmpty() && subjectOrIssuer.isPresent()) {
                throw new AppException(
                    ErrorCode.NOT_FOUND,
                    Message.of("error.oidc-not-linked", "user", user.name())
                        .with("subject", subjectOrIssuer.get()));
              }
              for (Identity identity : removedLinks) {
                IdentityStore.unlink(handle, identity);
                audit.record(handle, actor, "user.unlink", target(user), view(identity), Map.of());
              }
              if (!removedLinks.isEmpty()) {
                TokenService.revokeOtherSessions(handle, user.id(), actor.tokenId());
              }
              return issuersWithoutLink(links, removedLinks);
            });
    tokens.forgetUser(user.id());
    unlinkedIssuers.forEach(
        issuerName -> teams.syncExternalMemberships(actor, user.name(), issuerName, _ -> false));
  }

  /** Returns the issuers of the removed links that have no other link to the user. */
  private static Set<String> issuersWithoutLink(List<Identity> links, List<Identity> removedLinks) {
    Set<String> issuers = new TreeSet<>();
    removedLinks.forEach(identity -> issuers.add(identity.issuer()));
    links.stream()
        .filter(identity -> !removedLinks.contains(identity))
        .forEach(identity -> issuers.remove(identity.issuer()));
    return issuers;
  }

  private static String target(User user) {
    return "user:" + user.name();
  }

  private static Map<String, Object> view(Identity identity) {
    return Map.of("issuer", identity.issuer(), "subject", identity.subject());
  }
}
