package dev.trainyard.server.image;

import dev.trainyard.model.Message;
import dev.trainyard.model.Messages;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A catalog entry: an image with a short name.
 *
 * @param name name that job files may use instead of the reference
 * @param note comment of the administrator on the proposal
 * @param reviewedImage image that the reference resolved to when an administrator approved it
 * @param descriptionCode message code of the description; empty if a user wrote the description
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
    ReviewedImage reviewedImage,
    String descriptionCode) {
  private static final Pattern NAME =
      Pattern.compile("[a-z0-9]+(?:[._-][a-z0-9]+)*(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,60})?");
  private static final int MAX_NAME_LENGTH = 128;

  CatalogEntry {
    tags = List.copyOf(tags);
  }

  /** Creates an entry whose description was written by a user. */
  CatalogEntry(
      String name,
      String reference,
      String description,
      String framework,
      List<String> tags,
      State state,
      String proposerId,
      String proposer,
      String note,
      ReviewedImage reviewedImage) {
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
        reviewedImage,
        "");
  }

  /** Creates an entry without a reviewed image. */
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
   * @param fixed whether the short name may refer only to this image. This applies to images
   *     created on this platform, because no registry prevents another image from getting the same
   *     name.
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

  /** Availability of the image of an entry for jobs. */
  enum Availability {
    /** The image is on the node. */
    LOCAL,
    /** The image is pulled from its registry when a job needs it. */
    PULLABLE,
    /** The image was created on this platform and is no longer on the node; no registry has it. */
    MISSING,
    /** The engine does not use images. */
    UNUSED
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
        newReviewedImage,
        descriptionCode);
  }

  /**
   * Returns the edited entry. If the edit did not change the description, the result keeps the
   * message code of this entry, so that the description stays available in every language.
   */
  CatalogEntry withUnchangedDescription(CatalogEntry edited) {
    boolean unchanged =
        !descriptionCode.isEmpty()
            && Stream.of(Messages.ENGLISH, Messages.CHINESE)
                .anyMatch(messages -> edited.description().equals(description(messages)));
    return unchanged
        ? new CatalogEntry(
            edited.name,
            edited.reference,
            "",
            edited.framework,
            edited.tags,
            edited.state,
            edited.proposerId,
            edited.proposer,
            edited.note,
            edited.reviewedImage,
            descriptionCode)
        : edited;
  }

  private String description(Messages messages) {
    return descriptionCode.isEmpty() ? description : messages.text(Message.of(descriptionCode));
  }

  /**
   * Returns the availability of the image for jobs.
   *
   * @param engineSupportsImages whether the engine supports images
   * @param currentId ID of the image on the node that currently has the reference; empty if no
   *     image has it
   */
  Availability availability(boolean engineSupportsImages, Optional<String> currentId) {
    if (!engineSupportsImages) {
      return Availability.UNUSED;
    }
    if (currentId.isPresent()) {
      return Availability.LOCAL;
    }
    return reviewedImage.fixed() ? Availability.MISSING : Availability.PULLABLE;
  }

  /**
   * Returns whether the edit keeps the approved image: both entries are approved and have the same
   * reference, and this entry records the image. Such an edit does not approve another image.
   */
  boolean alreadyApproves(CatalogEntry edited) {
    return state == State.APPROVED
        && edited.state() == State.APPROVED
        && reference.equals(edited.reference())
        && !reviewedImage.id().isEmpty();
  }

  /** Returns a copy with the image that an administrator reviewed. */
  CatalogEntry withReviewedImage(ReviewedImage newReviewedImage) {
    return reviewed(state, note, newReviewedImage);
  }

  /**
   * Returns whether the reference no longer resolves to the approved image. If no image on the node
   * has the reference, the entry counts as changed only if the name may refer only to the approved
   * image.
   *
   * @param currentId ID of the image on the node that currently has the reference; empty if no
   *     image has it
   */
  boolean hasChanged(Optional<String> currentId) {
    return state == State.APPROVED
        && !reviewedImage.id().isEmpty()
        && currentId.map(id -> !id.equals(reviewedImage.id())).orElse(reviewedImage.fixed());
  }

  /** Returns whether the entry contains every word, ignoring case. */
  boolean matches(String words) {
    String searchText =
        String.join(
                "\n",
                name,
                reference,
                description(Messages.ENGLISH),
                description(Messages.CHINESE),
                framework,
                String.join("\n", tags))
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
    view.put("description", description(Messages.ENGLISH));
    if (!descriptionCode.isEmpty()) {
      view.put("descriptionCode", descriptionCode);
    }
    view.put("framework", framework);
    view.put("tags", tags);
    view.put("state", state);
    view.put("proposedBy", proposer);
    view.put("note", note);
    view.put("approvedId", reviewedImage.id().isEmpty() ? null : reviewedImage.id());
    return view;
  }
}
