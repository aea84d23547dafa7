package dev.trainyard.server.user;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Ulid;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/** Profiles and SSH keys of users. Thread-safe. */
public final class ProfileService {
  private static final int MAX_KEYS = 50;

  private final Db db;
  private final Audit audit;
  private final Clock clock;
  private final Ulid ids;

  public ProfileService(Db db, Clock clock) {
    this.db = db;
    this.audit = new Audit(clock);
    this.clock = clock;
    this.ids = new Ulid(clock);
  }

  public Profile load(String userId) {
    return db.read(handle -> ProfileStore.load(handle, userId));
  }

  /** Returns the profiles of all users by user ID. */
  public Map<String, Profile> loadAll() {
    return db.read(ProfileStore::loadAll);
  }

  /** Changes only the given fields. */
  void change(Actor actor, User user, ProfileFields fields) {
    db.write(
        handle -> {
          Profile previous = ProfileStore.load(handle, user.id());
          save(handle, actor, user, previous, fields.applyTo(previous));
          return null;
        });
  }

  /** Replaces the whole profile; for clients that always send every field. */
  public void save(Actor actor, User user, Profile profile) {
    db.write(
        handle -> {
          save(handle, actor, user, ProfileStore.load(handle, user.id()), profile);
          return null;
        });
  }

  private void save(Handle handle, Actor actor, User user, Profile previous, Profile updated) {
    if (previous.equals(updated)) {
      return;
    }
    ProfileStore.save(handle, user.id(), updated);
    String target = UserService.target(user);
    audit.record(
        handle, actor, "user.profile", target, view(previous, updated), view(updated, previous));
  }

  /**
   * Returns only the fields that differ; for the extension, whose content belongs to clients, only
   * its length.
   */
  private static Map<String, Object> view(Profile profile, Profile other) {
    Map<String, Object> view = new LinkedHashMap<>();
    if (!profile.email().equals(other.email())) {
      view.put("email", profile.email());
    }
    if (!profile.displayName().equals(other.displayName())) {
      view.put("displayName", profile.displayName());
    }
    if (!profile.language().equals(other.language())) {
      view.put("language", profile.language());
    }
    if (!profile.extension().equals(other.extension())) {
      view.put("extensionLength", profile.extension().length());
    }
    return view;
  }

  public List<SshKey> keys(String userId) {
    return db.read(handle -> ProfileStore.keys(handle, userId));
  }

  /**
   * @param title title of the key; empty to use the comment of the key
   */
  public SshKey addKey(Actor actor, User user, String title, SshKeyText keyText) {
    String keyTitle = title.isEmpty() ? keyText.comment() : title;
    SshKey key =
        new SshKey(
            ids.next(),
            keyTitle.length() > 100 ? keyTitle.substring(0, 100) : keyTitle,
            keyText.text(),
            keyText.fingerprint(),
            Instant.ofEpochMilli(clock.millis()));
    db.write(
        handle -> {
          if (ProfileStore.keys(handle, user.id()).size() >= MAX_KEYS) {
            throw new AppException(
                ErrorCode.CONFLICT, Message.of("error.too-many-keys", "most", MAX_KEYS));
          }
          if (!ProfileStore.insertKey(handle, user.id(), key)) {
            throw new AppException(
                ErrorCode.CONFLICT,
                Message.of("error.ssh-key-known", "fingerprint", key.fingerprint()));
          }
          String target = UserService.target(user);
          audit.record(handle, actor, "ssh-key.add", target, Map.of(), view(key));
          return null;
        });
    return key;
  }

  public void removeKey(Actor actor, User user, String id) {
    db.write(
        handle -> {
          SshKey key =
              ProfileStore.keys(handle, user.id()).stream()
                  .filter(candidate -> candidate.id().equals(id))
                  .findFirst()
                  .orElseThrow(
                      () ->
                          new AppException(
                              ErrorCode.NOT_FOUND, Message.of("error.no-ssh-key", "key", id)));
          ProfileStore.deleteKey(handle, user.id(), id);
          String target = UserService.target(user);
          audit.record(handle, actor, "ssh-key.remove", target, view(key), Map.of());
          return null;
        });
  }

  private static Map<String, Object> view(SshKey key) {
    return Map.of("id", key.id(), "title", key.title(), "fingerprint", key.fingerprint());
  }
}
