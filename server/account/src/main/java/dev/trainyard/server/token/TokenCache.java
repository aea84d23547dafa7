package dev.trainyard.server.token;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Caches token lookups for a short time. A token that this server revokes is removed immediately. A
 * token that another server revokes in the same database remains cached until the cache entry
 * expires. Thread-safe.
 */
final class TokenCache {
  private static final int MAX_ENTRIES = 10_000;
  private static final Duration MAX_AGE = Duration.ofSeconds(20);

  private final Map<String, Entry> entries = new LinkedHashMap<>(64, 0.75f, true);
  private long generation;

  private record Entry(TokenStore.StoredToken token, Instant cachedAt) {}

  /**
   * Returns a number that changes with every revocation. A caller of {@link #put} must read this
   * number before it queries the database.
   */
  synchronized long generation() {
    return generation;
  }

  synchronized Optional<TokenStore.StoredToken> find(String hash, Instant now) {
    Entry entry = entries.get(hash);
    if (entry == null || entry.cachedAt().plus(MAX_AGE).isBefore(now)) {
      return Optional.empty();
    }
    return Optional.of(entry.token());
  }

  /**
   * Caches the result of a query, unless a token was revoked after {@code queryGeneration} was
   * read.
   */
  synchronized void put(
      String hash, TokenStore.StoredToken token, Instant now, long queryGeneration) {
    if (queryGeneration != generation) {
      return;
    }
    entries.put(hash, new Entry(token, now));
    if (entries.size() > MAX_ENTRIES) {
      entries.remove(entries.keySet().iterator().next());
    }
  }

  synchronized void forgetUser(String userId) {
    generation++;
    entries.values().removeIf(entry -> entry.token().caller().userId().equals(userId));
  }
}
