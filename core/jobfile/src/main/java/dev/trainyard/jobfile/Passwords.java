package dev.trainyard.jobfile;

import dev.trainyard.model.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** Finds the registry passwords in a document, and masks that were copied from a displayed file. */
final class Passwords {
  private Passwords() {}

  /** Returns the passwords that are written in plain text. */
  static List<String> of(DocumentValue root) {
    List<String> passwords = new ArrayList<>();
    forEachPassword(
        root,
        (_, value) -> {
          if (value instanceof DocumentValue.Text text && isPlainText(text.value())) {
            passwords.add(text.value());
          }
        });
    return passwords;
  }

  static boolean isPlainText(String password) {
    boolean isReference =
        password.strip().startsWith(Template.OPEN) && password.contains(Secrets.ROOT + ".");
    return !password.isEmpty() && !isReference;
  }

  /** Adds a warning for every mask that must be replaced by the secret. */
  static void warnOfMasks(DocumentValue.Table root, Problems problems) {
    BiConsumer<String, DocumentValue> maskWarning =
        (path, value) -> {
          if (value instanceof DocumentValue.Text text && text.value().equals(Document.MASK_TEXT)) {
            problems.warn(path, value, Message.of(JobFiles.MASKED));
          }
        };
    forEachPassword(root, maskWarning);
    for (String name : List.of(Document.SECRETS, Document.VARIABLES)) {
      if (root.fields().get(name) instanceof DocumentValue.Table table) {
        forEachLeaf(name, table, maskWarning);
      }
    }
  }

  private static void forEachLeaf(
      String path, DocumentValue value, BiConsumer<String, DocumentValue> consumer) {
    switch (value) {
      case DocumentValue.Table table ->
          table
              .fields()
              .forEach(
                  (name, fieldValue) ->
                      forEachLeaf(DocumentPaths.field(path, name), fieldValue, consumer));
      case DocumentValue.Items items -> {
        for (int i = 0; i < items.values().size(); i++) {
          forEachLeaf(DocumentPaths.item(path, i), items.values().get(i), consumer);
        }
      }
      default -> consumer.accept(path, value);
    }
  }

  private static void forEachPassword(
      DocumentValue root, BiConsumer<String, DocumentValue> consumer) {
    String prerequisitesField = "prerequisites";
    if (root instanceof DocumentValue.Table table
        && table.fields().get(prerequisitesField) instanceof DocumentValue.Items items) {
      for (int i = 0; i < items.values().size(); i++) {
        if (items.values().get(i) instanceof DocumentValue.Table prerequisite
            && prerequisite.fields().get("auth") instanceof DocumentValue.Table auth
            && auth.fields().get(Document.PASSWORD) instanceof DocumentValue.Text password) {
          String path =
              DocumentPaths.field(
                  DocumentPaths.field(DocumentPaths.item(prerequisitesField, i), "auth"),
                  Document.PASSWORD);
          consumer.accept(path, password);
        }
      }
    }
  }
}
