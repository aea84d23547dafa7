package dev.trainyard.server.user;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.config.DataDirectory;
import java.util.Optional;

/** Creates the first administrator of a new server. */
public final class FirstAdministrator {
  private static final String NAME = "admin";
  private static final String PASSWORD_FILE = "admin-password";

  private final UserService users;
  private final DataDirectory directory;

  public FirstAdministrator(UserService users, DataDirectory directory) {
    this.users = users;
    this.directory = directory;
  }

  /**
   * Creates the first user if there is none.
   *
   * @param configuredPassword the configured password, if any
   * @return the generated password, to be displayed once
   */
  public Optional<String> ensure(Optional<String> configuredPassword) {
    if (!users.isEmpty()) {
      return Optional.empty();
    }
    configuredPassword
        .flatMap(Passwords::problem)
        .ifPresent(
            problem -> {
              throw new AppException(
                  ErrorCode.BAD_REQUEST,
                  Message.of("config.admin-password", "detail", problem.english()));
            });
    String password = configuredPassword.orElseGet(users.passwords()::generate);
    if (configuredPassword.isEmpty()) {
      // Write the file before the user is created: otherwise a crash could leave a user whose
      // password is unknown.
      directory.writePrivate(PASSWORD_FILE, password + "\n");
    }
    users.create(NAME, password, true);
    return configuredPassword.isPresent() ? Optional.empty() : Optional.of(password);
  }

  /** Deletes the file, because its password is no longer valid. */
  public void passwordChanged(User user) {
    if (user.name().equals(NAME)) {
      directory.delete(PASSWORD_FILE);
    }
  }
}
