package dev.trainyard.server.user;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.config.DataDirectory;
import java.util.Optional;

/** Makes sure that somebody can sign in to a new server. */
public final class FirstAdministrator {
  private static final String NAME = "admin";
  private static final String FILE = "admin-password";

  private final UserService users;
  private final DataDirectory directory;

  public FirstAdministrator(UserService users, DataDirectory directory) {
    this.users = users;
    this.directory = directory;
  }

  /**
   * Creates the first user where there is none.
   *
   * @param given the password somebody chose, if any
   * @return the password that was generated, to be shown once
   */
  public Optional<String> ensure(Optional<String> given) {
    if (!users.isEmpty()) {
      return Optional.empty();
    }
    given
        .flatMap(Passwords::problem)
        .ifPresent(
            problem -> {
              throw new AppException(
                  ErrorCode.BAD_REQUEST,
                  Message.of("config.admin-password", "detail", problem.english()));
            });
    String password = given.orElseGet(users.passwords()::generate);
    if (given.isEmpty()) {
      // First the file, then the user: a user whose password nobody knows would be for ever.
      directory.writePrivate(FILE, password + "\n");
    }
    users.create(NAME, password, true);
    return given.isPresent() ? Optional.empty() : Optional.of(password);
  }

  /** The file must not tell a password that is no longer right. */
  public void passwordChanged(User user) {
    if (user.name().equals(NAME)) {
      directory.delete(FILE);
    }
  }
}
