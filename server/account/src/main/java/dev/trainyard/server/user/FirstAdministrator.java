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
   * Creates the first administrator if there are no users.
   *
   * @param configuredPassword the configured password, if any
   * @return the generated password, to be displayed once; empty if no password was generated
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
      // The file is written before the user is created, so that a crash in between does not leave a
      // user whose password is unknown.
      directory.writePrivate(PASSWORD_FILE, password + "\n");
    }
    users.create(NAME, password, true);
    return configuredPassword.isPresent() ? Optional.empty() : Optional.of(password);
  }

  /**
   * Deletes the password file if this user is the first administrator, because its password is no
   * longer valid.
   */
  public void passwordChanged(User user) {
    if (user.name().equals(NAME)) {
      directory.delete(PASSWORD_FILE);
    }
  }
}
