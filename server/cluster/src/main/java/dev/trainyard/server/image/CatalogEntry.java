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
 * @param name name that job files may use instead of the reference
 * @param note comment of the administrator on the proposal
 * @param seen image that the reference resolved to when an administrator approved it
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
    ReviewedImage seen) {
  private static final Pattern NAME =
      Pattern.compile("[a-z0-9]+(?:[._-][a-z0-9]+)*(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,60})?");
  private static final int MAX_NAME_LENGTH = 128;

  CatalogEntry {
    tags = List.copyOf(tags);
  }

  /** Creates an entry that is not approved yet. */
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
        ReviewedImage.NONE);
  }

  /**
   * The image that an administrator reviewed.
   *
   * @param id image ID; empty if the image was not on the node
   * @param fixed whether the short name may denote only this image. This holds for images created
   *     on this platform, because no registry prevents another image from getting the same name.
   */
  record ReviewedImage(String id, boolean fixed) {
    static final ReviewedImage NONE = new ReviewedImage("", false);
  }

  /** The constant names are stored. */
  enum State {
    PROPOSED,
    APPROVED,
    REFUSED
  }

  static boolean isName(String text) {
    return text.length() <= MAX_NAME_LENGTH && NAME.matcher(text).matches();
  }

  CatalogEntry reviewed(State newState, String newNote, ReviewedImage newReviewedImage) {
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
        newReviewedImage);
  }

  /**
   * Returns whether this entry already records which image was approved for the same reference, so
   * that editing the entry does not approve another image.
   */
  boolean alreadyApproves(CatalogEntry edited) {
    return state == State.APPROVED
        && edited.state() == State.APPROVED
        && reference.equals(edited.reference())
        && !seen.id().isEmpty();
  }

  /** Returns a copy with the image that an administrator reviewed. */
  CatalogEntry withReviewedImage(ReviewedImage newReviewedImage) {
    return reviewed(state, note, newReviewedImage);
  }

  /**
   * Returns whether the reference now resolves to another image than the approved one.
   *
   * @param currentId ID of the image that currently has the reference, if it is on the node
   */
  boolean hasChanged(Optional<String> currentId) {
    return state == State.APPROVED
        && !seen.id().isEmpty()
        && currentId.map(id -> !id.equals(seen.id())).orElse(seen.fixed());
  }

  /** Returns whether the entry contains every word. */
  boolean matches(String words) {
    String searchText =
        String.join("\n", name, reference, description, framework, String.join("\n", tags))
            .toLowerCase(Locale.ROOT);
    for (String word : words.toLowerCase(Locale.ROOT).strip().split("\\s+", -1)) {
      if (!searchText.contains(word)) {
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
