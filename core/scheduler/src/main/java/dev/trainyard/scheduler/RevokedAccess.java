package dev.trainyard.scheduler;

import dev.trainyard.model.Message;
import java.util.Optional;
import java.util.Set;

/**
 * Whose jobs may not start, whatever is free, until an administrator allows it again.
 *
 * @param users who are locked out
 * @param places where somebody may no longer run anything
 */
public record RevokedAccess(Set<String> users, Set<Place> places) {
  public static final RevokedAccess NOBODY = new RevokedAccess(Set.of(), Set.of());

  /** Somebody in a virtual cluster. */
  public record Place(String user, String virtualCluster) {}

  public RevokedAccess {
    users = Set.copyOf(users);
    places = Set.copyOf(places);
  }

  Optional<Message> why(QueuedJob job) {
    if (users.contains(job.user())) {
      return Optional.of(Message.of("wait.user-disabled", "user", job.user()));
    }
    return places.contains(new Place(job.user(), job.virtualCluster()))
        ? Optional.of(
            Message.of("wait.vc-taken", "user", job.user()).with("vc", job.virtualCluster()))
        : Optional.empty();
  }
}
