package dev.trainyard.server.image;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.ImageReference;
import dev.trainyard.model.Message;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.image.CatalogEntry.ReviewedImage;
import dev.trainyard.server.image.CatalogEntry.State;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The catalog of images with short names. Users propose entries; administrators approve or reject
 * them. Thread-safe.
 */
final class Catalog {
  private static final int MAX_PROPOSALS = 50;

  private final Db db;
  private final Audit audit;
  private final InstantSource clock;

  Catalog(Db db, Audit audit, InstantSource clock) {
    this.db = db;
    this.audit = audit;
    this.clock = clock;
  }

  /**
   * Returns the entries that match a text: for users, approved entries and their own; for
   * administrators, all entries.
   */
  List<CatalogEntry> list(Caller caller, String searchText) {
    return db.read(CatalogStore::list).stream()
        .filter(entry -> isVisible(caller, entry) && entry.matches(searchText))
        .toList();
  }

  private static boolean isVisible(Caller caller, CatalogEntry entry) {
    return caller.admin()
        || entry.state() == State.APPROVED
        || entry.proposerId().equals(caller.userId());
  }

  CatalogEntry load(Caller caller, String name) {
    return db.read(handle -> CatalogStore.find(handle, name))
        .filter(entry -> isVisible(caller, entry))
        .orElseThrow(() -> notFound(name));
  }

  /** Returns the reference of a short name; empty if no approved entry has this name. */
  Optional<ImageReference> resolve(String name) {
    return findApproved(name).flatMap(entry -> ImageReference.parse(entry.reference()));
  }

  Optional<CatalogEntry> findApproved(String name) {
    return CatalogEntry.isName(name)
        ? db.read(handle -> CatalogStore.find(handle, name))
            .filter(entry -> entry.state() == State.APPROVED)
        : Optional.empty();
  }

  /** Returns whether an administrator approved this reference. */
  boolean contains(ImageReference reference) {
    return db.read(handle -> CatalogStore.contains(handle, reference));
  }

  /**
   * Adds an entry, or replaces the entry of this name if the caller may replace it. An entry that
   * an administrator adds is already approved.
   */
  CatalogEntry add(Caller caller, Actor actor, CatalogEntry entry) {
    return db.write(
        handle -> {
          Optional<CatalogEntry> before = CatalogStore.find(handle, entry.name());
          if (before.filter(existing -> !mayReplace(caller, existing)).isPresent()) {
            throw new AppException(
                ErrorCode.NAME_TAKEN,
                Message.of("error.catalogue-name-taken", "name", entry.name()));
          }
          if (!caller.admin()
              && CatalogStore.countProposals(handle, caller.userId()) >= MAX_PROPOSALS) {
            throw new AppException(
                ErrorCode.CONFLICT, Message.of("error.too-many-proposals", "most", MAX_PROPOSALS));
          }
          CatalogEntry added = before.map(existing -> edit(existing, entry)).orElse(entry);
          CatalogStore.put(handle, added, clock.instant());
          audit.record(
              handle,
              actor,
              caller.admin() ? "image.add" : "image.propose",
              target(added),
              before.map(CatalogEntry::view).orElse(Map.of()),
              added.view());
          return added;
        });
  }

  /**
   * Returns the edited entry. Keeps the translated description and the reviewed image of the
   * existing entry if the edit does not affect them.
   */
  private static CatalogEntry edit(CatalogEntry existing, CatalogEntry edited) {
    CatalogEntry described = existing.withUnchangedDescription(edited);
    return existing.alreadyApproves(described)
        ? described.withReviewedImage(existing.reviewedImage())
        : described;
  }

  /**
   * Returns whether the caller may replace an entry: administrators may replace any entry, other
   * users only rejected entries and their own pending proposals.
   */
  private static boolean mayReplace(Caller caller, CatalogEntry existing) {
    return caller.admin()
        || existing.state() == State.REFUSED
        || (existing.state() == State.PROPOSED && existing.proposerId().equals(caller.userId()));
  }

  /**
   * Approves or rejects an entry.
   *
   * @param reviewedImage the image that the reference currently resolves to
   */
  CatalogEntry review(
      Actor actor, String name, State state, String note, ReviewedImage reviewedImage) {
    return db.write(
        handle -> {
          CatalogEntry before = CatalogStore.find(handle, name).orElseThrow(() -> notFound(name));
          CatalogEntry after =
              before.reviewed(
                  state, note, state == State.APPROVED ? reviewedImage : ReviewedImage.NONE);
          CatalogStore.put(handle, after, clock.instant());
          audit.record(
              handle,
              actor,
              state == State.APPROVED ? "image.approve" : "image.refuse",
              target(after),
              before.view(),
              after.view());
          return after;
        });
  }

  void delete(Caller caller, Actor actor, String name) {
    CatalogEntry entry = load(caller, name);
    if (!mayReplace(caller, entry)
        || (!caller.admin() && !entry.proposerId().equals(caller.userId()))) {
      throw new AppException(ErrorCode.FORBIDDEN, Message.of("error.admin-only"));
    }
    db.write(
        handle -> {
          CatalogStore.delete(handle, entry.name());
          audit.record(handle, actor, "image.delete", target(entry), entry.view(), Map.of());
          return null;
        });
  }

  private static String target(CatalogEntry entry) {
    return "image:" + entry.name();
  }

  private static AppException notFound(String name) {
    return new AppException(
        ErrorCode.NOT_FOUND, Message.of("error.no-catalogue-image", "name", name));
  }
}
