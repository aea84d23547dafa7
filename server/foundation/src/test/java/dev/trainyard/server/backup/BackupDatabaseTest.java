package dev.trainyard.server.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackupDatabaseTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql:d",
        "jdbc:postgresql://h/d",
        "jdbc:postgresql://h:5432,[::1]:5433/d?user=u&password=p%26&sslmode=verify-full&ssl=true",
        "jdbc:postgresql://db-1.example.com/d?currentSchema=s&connectTimeout=5"
      })
  void url_harmless_isPermitted(String url) {
    assertThat(new BackupDatabase(url).url()).isEqualTo(url);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sslkey=/root/key",
        "sslcert=/root/cert",
        "sslrootcert=/etc/shadow",
        "sslpassword=x",
        "sslfactory=a.B",
        "sslfactoryarg=file:/etc/shadow",
        "sslhostnameverifier=a.B",
        "sslpasswordcallback=a.B",
        "socketFactory=a.B",
        "socketFactoryArg=x",
        "authenticationPluginClassName=a.B",
        "xmlFactoryFactory=a.B",
        "loggerFile=/etc/x",
        "service=s",
        "passfile=/root/x",
        "jaasApplicationName=x",
        "PGHOST=elsewhere",
        "user=u&sslKey=x",
        "password=p&password=",
        "user=u&",
        "=x"
      })
  void url_parameterThatReadsFilesOrLoadsClasses_isRejected(String parameters) {
    assertThatThrownBy(() -> new BackupDatabase("jdbc:postgresql://h/d?" + parameters))
        .isInstanceOf(AppException.class)
        .hasMessageContaining("--db URL");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:sqlite:/etc/cron.d/x",
        "jdbc:h2:mem:x",
        "jdbc:postgresql://u:p@h/d",
        "jdbc:postgresql://?service=s",
        "jdbc:postgresql://h/",
        "jdbc:postgresql://h/d\u001b[2J",
        "jdbc:postgresql://h/d?user=u\n"
      })
  void url_ofAnotherForm_isRejected(String url) {
    assertThatThrownBy(() -> new BackupDatabase(url))
        .isInstanceOf(AppException.class)
        .hasMessageContaining("--db URL");
  }

  @Test
  void password_isFoundAndMasked() {
    BackupDatabase with = new BackupDatabase("jdbc:postgresql://h/d?user=u&password=hidden");
    assertThat(with.hasPassword()).isTrue();
    assertThat(with.maskedUrl()).isEqualTo("jdbc:postgresql://h/d?user=u&password=******");
    assertThat(new BackupDatabase("jdbc:postgresql://h/d?user=password").hasPassword()).isFalse();
    assertThat(new BackupDatabase("jdbc:postgresql://h/d?password=").hasPassword()).isFalse();
  }
}
