package dev.trainyard.server.image;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * An image under a short name.
 *
 * @param name what job files may say instead of the reference
 * @param note what an administrator said to the proposal
 */
record CatalogueEntry(
    String name,
    String reference,
    String description,
    String framework,
    List<String> tags,
    State state,
    String proposerId,
    String proposer,
    String note) {
  private static final Pattern NAME =
      Pattern.compile("[a-z0-9]+(?:[._-][a-z0-9]+)*(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,60})?");
  private static final int LONGEST_NAME = 128;

  CatalogueEntry {
    tags = List.copyOf(tags);
  }

  /** The names are stored. */
  enum State {
    PROPOSED,
    APPROVED,
    REFUSED
  }

  static boolean isName(String text) {
    return text.length() <= LONGEST_NAME && NAME.matcher(text).matches();
  }

  CatalogueEntry judged(State newState, String newNote) {
    return new CatalogueEntry(
        name, reference, description, framework, tags, newState, proposerId, proposer, newNote);
  }

  /** Whether every word stands somewhere in it. */
  boolean matches(String words) {
    String all =
        String.join("\n", name, reference, description, framework, String.join("\n", tags))
            .toLowerCase(Locale.ROOT);
    for (String word : words.toLowerCase(Locale.ROOT).strip().split("\\s+", -1)) {
      if (!all.contains(word)) {
        return false;
      }
    }
    return true;
  }

  Map<String, Object> view() {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("name", name);
    view.put("reference", reference);
    view.put("description", description);
    view.put("framework", framework);
    view.put("tags", tags);
    view.put("state", state);
    view.put("proposedBy", proposer);
    view.put("note", note);
    return view;
  }
}
