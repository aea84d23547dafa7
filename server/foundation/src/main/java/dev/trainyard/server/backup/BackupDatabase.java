package dev.trainyard.server.backup;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.config.DatabasePassword;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The database that is set in the settings file of a backup. An attacker may have written the file,
 * so a URL is accepted only if it makes the driver neither read a local file nor load a class. The
 * setting of a password file is never taken from a backup, because the content of that file would
 * be sent to the host of the URL.
 *
 * @param url URL of a PostgreSQL database
 */
public record BackupDatabase(String url) {
  private static final String PASSWORD = "password";

  /** Parameters of the PostgreSQL driver that only affect the connection itself. */
  private static final Set<String> PERMITTED_PARAMETERS =
      Set.of(
          "user",
          PASSWORD,
          "ssl",
          "sslmode",
          "channelBinding",
          "currentSchema",
          "ApplicationName",
          "connectTimeout",
          "loginTimeout",
          "socketTimeout",
          "cancelSignalTimeout",
          "tcpKeepAlive",
          "tcpNoDelay",
          "targetServerType",
          "loadBalanceHosts",
          "hostRecheckSeconds",
          "prepareThreshold");

  private static final Pattern POSTGRES_URL =
      Pattern.compile(
          "jdbc:postgresql:(?://[\\w.:,\\[\\]-]+/)?[^?&/\\s\\p{C}]+(?:\\?([^\\s\\p{C}]*))?");

  /**
   * @throws AppException if the URL does not name a PostgreSQL database, or contains a parameter
   *     that is not permitted
   */
  public BackupDatabase {
    parameters(url);
  }

  /** Returns whether the URL contains the password. */
  public boolean hasPassword() {
    return !parameters(url).getOrDefault(PASSWORD, "").isEmpty();
  }

  /** Returns the URL with a masked password. */
  public String maskedUrl() {
    return DatabasePassword.mask(url);
  }

  private static Map<String, String> parameters(String url) {
    Matcher parts = POSTGRES_URL.matcher(url);
    if (!parts.matches()) {
      throw new AppException(ErrorCode.CONFLICT, Message.of("error.restore-database-url"));
    }
    Map<String, String> parameters = new HashMap<>();
    String query = parts.group(1) == null ? "" : parts.group(1);
    for (String parameter : query.isEmpty() ? new String[0] : query.split("&", -1)) {
      String[] nameAndValue = parameter.split("=", 2);
      String name = nameAndValue[0];
      String value = nameAndValue.length == 1 ? "" : nameAndValue[1];
      if (!PERMITTED_PARAMETERS.contains(name) || parameters.put(name, value) != null) {
        throw new AppException(
            ErrorCode.CONFLICT, Message.of("error.restore-database-parameter", "name", name));
      }
    }
    return parameters;
  }
}
