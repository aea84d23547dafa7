package dev.trainyard.scheduler;

import dev.trainyard.model.Message;
import java.util.Optional;
import java.util.Set;

/**
 * Users whose jobs must not start until an administrator grants access again, even if resources are
 * free.
 *
 * @param users disabled users
 * @param usersInClusters pairs of a user and a virtual cluster that the user can no longer use
 */
public record RevokedAccess(Set<String> users, Set<UserInCluster> usersInClusters) {
  public static final RevokedAccess NONE = new RevokedAccess(Set.of(), Set.of());

  /** A user in a virtual cluster. */
  public record UserInCluster(String user, String virtualCluster) {}

  public RevokedAccess {
    users = Set.copyOf(users);
    usersInClusters = Set.copyOf(usersInClusters);
  }

  Optional<Message> reasonFor(QueuedJob job) {
    if (users.contains(job.user())) {
      return Optional.of(Message.of("wait.user-disabled", "user", job.user()));
    }
    return usersInClusters.contains(new UserInCluster(job.user(), job.virtualCluster()))
        ? Optional.of(
            Message.of("wait.vc-taken", "user", job.user()).with("vc", job.virtualCluster()))
        : Optional.empty();
  }
}
