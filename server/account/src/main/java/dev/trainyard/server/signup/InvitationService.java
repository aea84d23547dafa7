package dev.trainyard.server.signup;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Ulid;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.team.InitialMembership;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Manages invitation codes. A code is displayed once; only its hash is stored. Thread-safe. */
final class InvitationService {
  /**
   * Characters of a code, without easily confused ones; 16 characters contain 80 bits of entropy.
   */
  private static final String ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

  private static final int CODE_LENGTH = 16;

  private final Db db;
  private final Audit audit;
  private final Clock clock;
  private final Ulid ids;
  private final SecureRandom random = new SecureRandom();

  InvitationService(Db db, Clock clock) {
    this.db = db;
    this.audit = new Audit(clock);
    this.clock = clock;
    this.ids = new Ulid(clock);
  }

  /** A new invitation with its code, which is not stored. */
  record IssuedInvitation(String code, Invitation invitation) {
    /** Omits the code because the result may be logged. */
    @Override
    public String toString() {
      return "IssuedInvitation[" + invitation + "]";
    }
  }

  IssuedInvitation create(
      Actor actor, String note, List<String> groups, int uses, Optional<Duration> lifetime) {
    Instant now = clock.instant();
    Invitation invitation =
        new Invitation(
            ids.next(),
            note,
            groups,
            uses,
            uses,
            Instant.ofEpochMilli(now.toEpochMilli()),
            actor.userName(),
            lifetime.map(now::plus),
            false);
    String code = newCode();
    db.write(
        handle -> {
          InitialMembership.requireGroups(handle, groups);
          InvitationStore.insert(handle, hash(code), invitation);
          record(handle, actor, "invitation.create", invitation.id(), view(invitation));
          return null;
        });
    return new IssuedInvitation(code, invitation);
  }

  List<Invitation> list() {
    return db.read(InvitationStore::list);
  }

  void revoke(Actor actor, String id) {
    db.write(
        handle -> {
          if (!InvitationStore.revoke(handle, id)) {
            throw new AppException(
                ErrorCode.NOT_FOUND, Message.of("error.no-invitation", "id", id));
          }
          record(handle, actor, "invitation.revoke", id, Map.of());
          return null;
        });
  }

  private void record(
      Handle handle, Actor actor, String action, String id, Map<String, Object> after) {
    audit.record(handle, actor, action, "invitation:" + id, Map.of(), after);
  }

  static Map<String, Object> view(Invitation invitation) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("id", invitation.id());
    view.put("note", invitation.note());
    view.put("groups", invitation.groups());
    view.put("uses", invitation.uses());
    view.put("usesLeft", invitation.usesLeft());
    view.put("created", invitation.created());
    view.put("createdBy", invitation.createdBy());
    view.put("expires", invitation.expires().orElse(null));
    view.put("revoked", invitation.revoked());
    return view;
  }

  private String newCode() {
    StringBuilder code = new StringBuilder();
    for (int i = 0; i < CODE_LENGTH; i++) {
      code.append(i > 0 && i % 4 == 0 ? "-" : "");
      code.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return code.toString();
  }

  /** Returns the hash of a code, ignoring case, spaces and dashes. */
  static String hash(String code) {
    String normalized = code.replaceAll("[\\s-]", "").toUpperCase(Locale.ROOT);
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(normalized.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
