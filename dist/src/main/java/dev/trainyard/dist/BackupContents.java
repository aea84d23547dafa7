package dev.trainyard.dist;

import dev.trainyard.cli.Localizer;
import dev.trainyard.server.backup.Manifest;
import dev.trainyard.server.config.UserData;
import java.util.ArrayList;
import java.util.List;

/** Texts that list what a backup contains and what it omits. */
record BackupContents(Localizer localizer, Manifest manifest) {
  private static final String PASSWORD_FILE = "admin-password";

  String included() {
    List<String> parts = new ArrayList<>(List.of(localizer.text("cli.backup.part.tables")));
    for (String file : manifest.files()) {
      parts.add(
          file.equals(PASSWORD_FILE) ? localizer.text("cli.backup.part.admin-password") : file);
    }
    manifest
        .trees()
        .forEach(
            (name, tree) ->
                parts.add(
                    localizer.text("cli.backup.part.tree", "name", name, "n", tree.entries())));
    return text("cli.backup.included", parts);
  }

  String omitted() {
    List<String> parts = new ArrayList<>(List.of(localizer.text("cli.backup.part.keys")));
    if (!manifest.trees().containsKey("logs")) {
      parts.add(localizer.text("cli.backup.part.logs"));
    }
    if (!manifest.trees().containsKey(UserData.HOMES.directoryName())) {
      parts.add(localizer.text("cli.backup.part.homes"));
    }
    parts.add(localizer.text("cli.backup.part.datasets"));
    return text("cli.backup.omitted", parts);
  }

  private String text(String code, List<String> parts) {
    String list = String.join(localizer.text("cli.status.reason-separator"), parts);
    return localizer.text(code, "parts", list);
  }
}
