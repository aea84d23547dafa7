package dev.trainyard.server.queue;

import dev.trainyard.server.job.Job;
import dev.trainyard.server.user.User;
import dev.trainyard.server.user.UserService;
import java.util.Optional;

/** Finds the owners of jobs. */
public record JobOwners(UserService users) {
  /** Returns the owner; empty if the user was deleted, even if a new user has the same name. */
  public Optional<User> of(Job job) {
    return users.find(job.userName()).filter(user -> user.id().equals(job.userId()));
  }
}
