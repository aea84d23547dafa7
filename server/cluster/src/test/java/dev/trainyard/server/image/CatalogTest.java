package dev.trainyard.server.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ImageReference;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.fixture.MutableClock;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.image.CatalogEntry.ReviewedImage;
import dev.trainyard.server.image.CatalogEntry.State;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

@EveryDatabase
class CatalogTest {
  private static final Caller ALICE = new Caller("u1", "alice", false, "t1");
  private static final Caller BOB = new Caller("u2", "bob", false, "t2");
  private static final Caller ROOT = new Caller("u0", "root", true, "t0");

  private final MutableClock clock = new MutableClock();
  private final Db db;
  private final Catalog catalog;

  CatalogTest(Db db) {
    this.db = db;
    this.catalog = new Catalog(db, new Audit(clock), clock);
    db.write(handle -> handle.execute("delete from catalogue_image"));
  }

  private CatalogEntry add(Caller caller, String name, String reference) {
    return catalog.add(
        caller,
        Actor.of(caller),
        new CatalogEntry(
            name,
            ImageReference.of(reference).toString(),
            "for training",
            "PyTorch",
            List.of("gpu"),
            caller.admin() ? State.APPROVED : State.PROPOSED,
            caller.userId(),
            caller.userName(),
            ""));
  }

  private static void assertRejected(String code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            AppException.class, e -> assertThat(e.text().code()).isEqualTo(code));
  }

  private List<String> names(Caller caller, String words) {
    return catalog.list(caller, words).stream().map(CatalogEntry::name).toList();
  }

  @Test
  void add_byUser_effectiveAfterApproval() {
    add(ALICE, "torch", "lab:5000/torch:2");
    assertThat(catalog.resolve("torch")).isEmpty();
    assertThat(names(ALICE, "")).containsExactly("torch");
    assertThat(names(BOB, "")).isEmpty();
    assertRejected("error.no-catalogue-image", () -> catalog.load(BOB, "torch"));

    catalog.review(Actor.of(ROOT), "torch", State.APPROVED, "fine", ReviewedImage.NONE);

    assertThat(catalog.resolve("torch")).contains(ImageReference.of("lab:5000/torch:2"));
    assertThat(catalog.contains(ImageReference.of("lab:5000/torch:2"))).isTrue();
    assertThat(catalog.load(BOB, "torch").note()).isEqualTo("fine");
    List<String> actions =
        db.read(
            handle ->
                handle
                    .createQuery("select action from audit order by id")
                    .mapTo(String.class)
                    .list());
    assertThat(actions).containsExactly("image.propose", "image.approve");
  }

  @Test
  void add_takenName_administratorsOnly() {
    add(ROOT, "torch", "a");
    assertRejected("error.catalogue-name-taken", () -> add(ALICE, "torch", "b"));
    add(ROOT, "torch", "c");
    assertThat(catalog.resolve("torch")).contains(ImageReference.of("c"));

    add(ALICE, "own", "a");
    assertRejected("error.catalogue-name-taken", () -> add(BOB, "own", "b"));
    catalog.review(Actor.of(ROOT), "own", State.REFUSED, "no", ReviewedImage.NONE);
    assertThat(add(BOB, "own", "b").proposer()).isEqualTo("bob");
  }

  @Test
  void delete_approved_administratorsOnly() {
    add(ROOT, "torch", "a");
    add(ALICE, "own", "a");
    assertRejected("error.admin-only", () -> catalog.delete(ALICE, Actor.of(ALICE), "torch"));
    assertRejected("error.no-catalogue-image", () -> catalog.delete(BOB, Actor.of(BOB), "own"));
    catalog.delete(ALICE, Actor.of(ALICE), "own");
    catalog.delete(ROOT, Actor.of(ROOT), "torch");
    assertThat(names(ROOT, "")).isEmpty();
  }

  @Test
  void approve_existingImage_validUntilNextApproval() {
    add(ALICE, "mine", "alice/mine:1");
    ReviewedImage first = new ReviewedImage("sha256:1", true);
    CatalogEntry entry = catalog.review(Actor.of(ROOT), "mine", State.APPROVED, "", first);
    assertThat(entry.hasChanged(Optional.of("sha256:1"))).isFalse();
    assertThat(entry.hasChanged(Optional.of("sha256:2"))).isTrue();
    assertThat(entry.hasChanged(Optional.empty()))
        .as("created on this platform and removed")
        .isTrue();

    add(ROOT, "mine", "alice/mine:1");
    assertThat(catalog.load(BOB, "mine").reviewedImage()).as("edited").isEqualTo(first);
    ReviewedImage second = new ReviewedImage("sha256:2", false);
    catalog.review(Actor.of(ROOT), "mine", State.APPROVED, "", second);
    entry = catalog.load(BOB, "mine");
    assertThat(entry.reviewedImage()).isEqualTo(second);
    assertThat(entry.hasChanged(Optional.empty())).as("available at its registry").isFalse();
    catalog.review(Actor.of(ROOT), "mine", State.REFUSED, "", second);
    assertThat(catalog.load(ROOT, "mine").reviewedImage()).isEqualTo(ReviewedImage.NONE);
  }

  @Test
  void list_severalWords_allMustMatch() {
    add(ROOT, "torch", "lab:5000/pt:2");
    add(ROOT, "tf:1.15", "lab:5000/tf:1");
    assertThat(names(ALICE, "PT torch")).containsExactly("torch");
    assertThat(names(ALICE, "gpu lab")).containsExactly("tf:1.15", "torch");
    assertThat(names(ALICE, "gpu nothing")).isEmpty();
  }

  @Test
  void isName_shortNames_haveNoSlash() {
    assertThat(CatalogEntry.isName("pytorch-2.4:cuda12")).isTrue();
    assertThat(CatalogEntry.isName("lab/pytorch")).isFalse();
    assertThat(CatalogEntry.isName("PyTorch")).isFalse();
    assertThat(CatalogEntry.isName("")).isFalse();
  }
}
