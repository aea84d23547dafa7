package dev.trainyard.server.openpai;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.http.Json;
import dev.trainyard.server.user.Profile;
import dev.trainyard.server.user.ProfileService;
import dev.trainyard.server.user.SshKey;
import dev.trainyard.server.user.SshKeyText;
import dev.trainyard.server.user.User;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Data that clients store for a user. The SSH keys in this data are the user's keys on this
 * platform; the rest is stored unchanged. Only the user can read all of the data, because clients
 * store private keys and tokens in it.
 */
final class Extension {
  private static final String SSH_KEYS = "sshKeys";
  private static final int MAX_BYTES = 64 * 1024;

  private final ProfileService profiles;

  Extension(ProfileService profiles) {
    this.profiles = profiles;
  }

  /** Returns all data; to be sent only to the user to whom the data belongs. */
  ObjectNode complete(User user, Profile profile) {
    ObjectNode all = parse(profile.extension());
    ArrayNode keys = all.putArray(SSH_KEYS);
    profiles.keys(user.id()).forEach(key -> keys.add(view(key)));
    return all;
  }

  /** Returns the part that other users, including administrators, may read: the public keys. */
  ObjectNode publicPart(User user, Profile profile) {
    ObjectNode publicPart = Json.MAPPER.createObjectNode();
    ArrayNode keys = publicPart.putArray(SSH_KEYS);
    profiles.keys(user.id()).forEach(key -> keys.add(view(key)));
    JsonNode pair = parse(profile.extension()).path("jobSSH").path("pubKey");
    if (pair.isTextual()) {
      publicPart.putObject("jobSSH").set("pubKey", pair);
    }
    return publicPart;
  }

  private static ObjectNode view(SshKey key) {
    return Json.MAPPER
        .createObjectNode()
        .put("title", key.title())
        .put("value", key.text())
        .put("time", key.created().toEpochMilli());
  }

  private static ObjectNode parse(String text) {
    try {
      return Json.MAPPER.readTree(text) instanceof ObjectNode object
          ? object
          : Json.MAPPER.createObjectNode();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("unreadable JSON in the database", e);
    }
  }

  /** Replaces the fields that are present in the changes; other fields stay unchanged. */
  void merge(Actor actor, User user, JsonNode changes) {
    if (!changes.isObject()) {
      throw PaiException.invalid("\"extension\" must be an object");
    }
    Map<String, SshKeyText> keys = keys(changes.path(SSH_KEYS));
    Profile profile = profiles.load(user.id());
    ObjectNode merged = parse(profile.extension());
    changes
        .properties()
        .forEach(
            entry -> {
              if (!entry.getKey().equals(SSH_KEYS)) {
                merged.set(entry.getKey(), entry.getValue());
              }
            });
    String text = merged.toString();
    if (text.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
      throw PaiException.invalid("\"extension\" is larger than " + MAX_BYTES + " bytes");
    }
    if (changes.has(SSH_KEYS)) {
      replaceKeys(actor, user, changes.get(SSH_KEYS), keys);
    }
    profiles.save(
        actor, user, new Profile(profile.email(), profile.displayName(), profile.language(), text));
  }

  /**
   * Returns the keys by their texts in the request; rejects invalid keys before anything is
   * changed.
   */
  private static Map<String, SshKeyText> keys(JsonNode list) {
    Map<String, SshKeyText> keys = new HashMap<>();
    for (JsonNode key : list) {
      String text = key.path("value").asText();
      keys.put(text, SshKeyText.parse(text));
    }
    return keys;
  }

  private void replaceKeys(
      Actor actor, User user, JsonNode requestedKeys, Map<String, SshKeyText> parsedKeys) {
    List<SshKey> storedKeys = profiles.keys(user.id());
    for (SshKey key : storedKeys) {
      if (parsedKeys.values().stream().noneMatch(candidate -> isSame(key, candidate))) {
        profiles.removeKey(actor, user, key.id());
      }
    }
    for (JsonNode key : requestedKeys) {
      SshKeyText text = parsedKeys.get(key.path("value").asText());
      boolean isStored =
          profiles.keys(user.id()).stream().anyMatch(candidate -> isSame(candidate, text));
      if (!isStored) {
        profiles.addKey(actor, user, key.path("title").asText(), text);
      }
    }
  }

  private static boolean isSame(SshKey key, SshKeyText text) {
    return key.fingerprint().equals(text.fingerprint());
  }
}
