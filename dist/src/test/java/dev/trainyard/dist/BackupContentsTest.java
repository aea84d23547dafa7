package dev.trainyard.dist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.cli.Localizer;
import dev.trainyard.server.backup.Manifest;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class BackupContentsTest {
  private static BackupContents contents(
      Locale language, List<String> entries, List<String> trees) {
    Map<String, String> checksums = new TreeMap<>();
    entries.forEach(name -> checksums.put(name, "hash"));
    Map<String, Manifest.Tree> sizes = new TreeMap<>();
    trees.forEach(name -> sizes.put(name, new Manifest.Tree(3, 100)));
    return new BackupContents(
        Localizer.of(language),
        new Manifest(2, "1", 1, 0, "sqlite", Map.of(), checksums, sizes, 0L, "seal"));
  }

  @Test
  void smallBackup_namesIncludedAndOmittedFiles() {
    List<String> entries = List.of("db/job/000001.jsonl", "files/trainyard.conf");
    BackupContents contents = contents(Locale.ENGLISH, entries, List.of());
    assertThat(contents.included())
        .isEqualTo(
            "Contents: all tables, with password hashes and encrypted secrets of jobs;"
                + " trainyard.conf.");
    assertThat(contents.omitted()).contains("secret-keys", "--with-logs", "--with-homes", "gdata");
  }

  @Test
  void completeBackup_namesTheClearPasswordAndTheDirectories() {
    List<String> entries = List.of("files/admin-password");
    List<String> trees = List.of("home", "logs");
    assertThat(contents(Locale.ENGLISH, entries, trees).included())
        .contains("admin-password", "in clear text", "home (3 entries)", "logs (3 entries)")
        .doesNotContain("trainyard.conf");
    assertThat(contents(Locale.ENGLISH, entries, trees).omitted())
        .contains("secret-keys", "gdata")
        .doesNotContain("--with");
    assertThat(contents(Locale.CHINESE, entries, trees).included()).contains("明文", "home（3 项）");
  }
}
