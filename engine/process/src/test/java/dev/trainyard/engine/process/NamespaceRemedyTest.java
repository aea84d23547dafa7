package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamespaceRemedyTest {
  @TempDir Path settings;

  @ParameterizedTest
  @CsvSource({
    "user/max_user_namespaces, 0, user.max_user_namespaces=15000",
    "kernel/unprivileged_userns_clone, 0, kernel.unprivileged_userns_clone=1",
    "kernel/apparmor_restrict_unprivileged_userns, 1, apparmor_restrict_unprivileged_userns=0",
    "user/max_user_namespaces, 100, seccomp",
  })
  void find_namesTheSetting(String name, String value, String remedy) throws IOException {
    Path file = settings.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, value + "\n");

    assertThat(NamespaceRemedy.find(settings)).contains(remedy);
  }
}
