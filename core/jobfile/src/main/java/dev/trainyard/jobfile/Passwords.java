package dev.trainyard.jobfile;

import dev.trainyard.model.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** Finds the registry passwords in a document, and masks left over from a displayed file. */
final class Passwords {
  private Passwords() {}

  /** Returns the passwords that are written in plain text. */
  static List<String> of(Located root) {
    List<String> found = new ArrayList<>();
    each(
        root,
        (_, value) -> {
          if (value instanceof Located.Text text && isClear(text.value())) {
            found.add(text.value());
          }
        });
    return found;
  }

  static boolean isClear(String password) {
    boolean reference =
        password.strip().startsWith(Template.OPEN) && password.contains(Secrets.ROOT + ".");
    return !password.isEmpty() && !reference;
  }

  /** Adds a warning for every mask that must be replaced by the secret. */
  static void warnOfMasks(Located.Table root, Problems problems) {
    BiConsumer<String, Located> warn =
        (path, value) -> {
          if (value instanceof Located.Text text && text.value().equals(Document.HIDDEN)) {
            problems.warn(path, value, Message.of(JobFiles.MASKED));
          }
        };
    each(root, warn);
    for (String name : List.of(Document.SECRETS, Document.VARIABLES)) {
      if (root.fields().get(name) instanceof Located.Table table) {
        leaves(name, table, warn);
      }
    }
  }

  private static void leaves(String path, Located value, BiConsumer<String, Located> consumer) {
    switch (value) {
      case Located.Table table ->
          table.fields().forEach((name, one) -> leaves(Paths.field(path, name), one, consumer));
      case Located.Items items -> {
        for (int i = 0; i < items.values().size(); i++) {
          leaves(Paths.item(path, i), items.values().get(i), consumer);
        }
      }
      default -> consumer.accept(path, value);
    }
  }

  private static void each(Located root, BiConsumer<String, Located> consumer) {
    String list = "prerequisites";
    if (root instanceof Located.Table table
        && table.fields().get(list) instanceof Located.Items all) {
      for (int i = 0; i < all.values().size(); i++) {
        if (all.values().get(i) instanceof Located.Table one
            && one.fields().get("auth") instanceof Located.Table auth
            && auth.fields().get(Document.PASSWORD) instanceof Located.Text password) {
          String path = Paths.field(Paths.field(Paths.item(list, i), "auth"), Document.PASSWORD);
          consumer.accept(path, password);
        }
      }
    }
  }
}
