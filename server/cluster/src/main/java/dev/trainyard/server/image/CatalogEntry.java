package dev.trainyard.server.image;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An image under a short name.
 *
 * @param name what job files may say instead of the reference
 * @param note what an administrator said to the proposal
 * @param seen what the reference stood for when an administrator approved it
 */
record CatalogEntry(
    String name,
    String reference,
    String description,
    String framework,
    List<String> tags,
    State state,
    String proposerId,
    String proposer,
    String note,
    Seen seen) {
  private static final Pattern NAME =
      Pattern.compile("[a-z0-9]+(?:[._-][a-z0-9]+)*(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,60})?");
  private static final int LONGEST_NAME = 128;

  CatalogEntry {
    tags = List.copyOf(tags);
  }

  /** What nobody has approved yet. */
  CatalogEntry(
      String name,
      String reference,
      String description,
      String framework,
      List<String> tags,
      State state,
      String proposerId,
      String proposer,
      String note) {
    this(
        name,
        reference,
        description,
        framework,
        tags,
        state,
        proposerId,
        proposer,
        note,
        Seen.NOTHING);
  }

  /**
   * What an administrator had before their eyes.
   *
   * @param id of the image; empty if there was none on the machine
   * @param fixed whether the short name stands for that image only: it was made here, and no
   *     registry answers for what else may get its name
   */
  record Seen(String id, boolean fixed) {
    static final Seen NOTHING = new Seen("", false);
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

  CatalogEntry judged(State newState, String newNote, Seen newSeen) {
    return new CatalogEntry(
        name,
        reference,
        description,
        framework,
        tags,
        newState,
        proposerId,
        proposer,
        newNote,
        newSeen);
  }

  /**
   * Whether it is known what another entry of this name stood for: editing approves nothing anew.
   */
  boolean isApprovalOf(CatalogEntry edited) {
    return state == State.APPROVED
        && edited.state() == State.APPROVED
        && reference.equals(edited.reference())
        && !seen.id().isEmpty();
  }

  /** As an administrator saw it. */
  CatalogEntry with(Seen newSeen) {
    return judged(state, note, newSeen);
  }

  /**
   * Whether the reference stands for another image than was approved.
   *
   * @param present the id of the image that has it now, if there is one on the machine
   */
  boolean hasChanged(Optional<String> present) {
    return state == State.APPROVED
        && !seen.id().isEmpty()
        && present.map(id -> !id.equals(seen.id())).orElse(seen.fixed());
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
    view.put("approvedId", seen.id().isEmpty() ? null : seen.id());
    return view;
  }
}
