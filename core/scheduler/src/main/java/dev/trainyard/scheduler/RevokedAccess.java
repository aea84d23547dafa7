package dev.trainyard.scheduler;

import dev.trainyard.model.Message;
import java.util.Optional;
import java.util.Set;

/**
 * Users whose jobs must not start until an administrator grants access again, even if resources are
 * free.
 *
 * @param users disabled users
 * @param places pairs of a user and a virtual cluster that the user can no longer use
 */
public record RevokedAccess(Set<String> users, Set<Place> places) {
  public static final RevokedAccess NOBODY = new RevokedAccess(Set.of(), Set.of());

  /** A user in a virtual cluster. */
  public record Place(String user, String virtualCluster) {}

  public RevokedAccess {
    users = Set.copyOf(users);
    places = Set.copyOf(places);
  }

  Optional<Message> reasonFor(QueuedJob job) {
    if (users.contains(job.user())) {
      return Optional.of(Message.of("wait.user-disabled", "user", job.user()));
    }
    return places.contains(new Place(job.user(), job.virtualCluster()))
        ? Optional.of(
            Message.of("wait.vc-taken", "user", job.user()).with("vc", job.virtualCluster()))
        : Optional.empty();
  }
}
