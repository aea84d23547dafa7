package dev.trainyard.server.limit;

import java.util.Optional;

/**
 * What the settings allow; empty for no limit.
 *
 * @param user requests of one user
 * @param address requests from one address by whoever is not signed in
 * @param submit job files of one user
 * @param list lists of jobs for one user
 * @param signIn sign-ins of one user that succeed
 * @param userOpen requests and streams of one user under way at once
 * @param addressOpen the same from one address by whoever is not signed in
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
