package dev.trainyard.server.limit;

import java.util.Optional;

/**
 * Limits from the settings. An empty value means no limit.
 *
 * @param user requests of one user
 * @param address requests from one address by clients that are not signed in
 * @param submit job files of one user
 * @param list job lists of one user
 * @param signIn successful sign-ins of one user
 * @param userOpen concurrent requests and streams of one user
 * @param addressOpen concurrent requests and streams from one address by clients that are not
 *     signed in
 */
public record RateLimitConfig(
    Optional<Rate> user,
    Optional<Rate> address,
    Optional<Rate> submit,
    Optional<Rate> list,
    Optional<Rate> signIn,
    Optional<Integer> userOpen,
    Optional<Integer> addressOpen) {

  public static final RateLimitConfig UNLIMITED =
      new RateLimitConfig(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());
}
