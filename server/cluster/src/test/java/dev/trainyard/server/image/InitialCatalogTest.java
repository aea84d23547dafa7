package dev.trainyard.server.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.ImageReference;
import dev.trainyard.model.Messages;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.fixture.MutableClock;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.image.CatalogEntry.Availability;
import dev.trainyard.server.image.CatalogEntry.ReviewedImage;
import dev.trainyard.server.image.CatalogEntry.State;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The entries that the image catalog of a new server has. */
@EveryDatabase
class InitialCatalogTest {
  private static final Caller ALICE = new Caller("u1", "alice", false, "t1");
  private static final Caller ROOT = new Caller("u0", "root", true, "t0");

  private final Catalog catalog;

  InitialCatalogTest(Db db) {
    MutableClock clock = new MutableClock();
    this.catalog = new Catalog(db, new Audit(clock), clock);
  }

  private List<String> names(String words) {
    return catalog.list(ALICE, words).stream().map(CatalogEntry::name).toList();
  }

  private static CatalogEntry editedEntry(String name, String reference, String description) {
    return new CatalogEntry(
        name,
        ImageReference.of(reference).toString(),
        description,
        "Mine",
        List.of(),
        State.APPROVED,
        ROOT.userId(),
        ROOT.userName(),
        "");
  }

  @Test
  void newServer_listsUsableImagesOfTheExamples() {
    assertThat(names(""))
        .containsExactlyInAnyOrder(
            "ubuntu:16.04", "pai.example.tensorflow", "pai.example.pytorch", "deepo");
    assertThat(catalog.resolve("ubuntu:16.04")).contains(ImageReference.of("ubuntu:16.04"));
    assertThat(catalog.resolve("deepo")).contains(ImageReference.of("ufoym/deepo"));
    for (CatalogEntry entry : catalog.list(ALICE, "")) {
      assertThat(ImageReference.of(entry.reference())).hasToString(entry.reference());
      assertThat(CatalogEntry.isName(entry.name())).isTrue();
    }
  }

  @Test
  void description_bothLanguages() {
    for (CatalogEntry entry : catalog.list(ALICE, "")) {
      String code = entry.descriptionCode();
      assertThat(Messages.CHINESE.template(code)).as(code).isNotBlank();
      assertThat(entry.view())
          .containsEntry("descriptionCode", code)
          .containsEntry("description", Messages.ENGLISH.template(code));
    }
    assertThat(names("other frameworks")).containsExactly("deepo");
    assertThat(names("多种框架")).containsExactly("deepo");
  }

  @Test
  void edit_unchangedDescription_isStillTranslated() {
    String chinese = Messages.CHINESE.template("catalog.deepo");
    catalog.add(ROOT, Actor.of(ROOT), editedEntry("deepo", "lab:5000/deepo:v2.0", chinese));
    CatalogEntry entry = catalog.load(ALICE, "deepo");
    assertThat(entry.descriptionCode()).isEqualTo("catalog.deepo");
    assertThat(entry.reference()).isEqualTo("lab:5000/deepo:v2.0");
    catalog.review(Actor.of(ROOT), "deepo", State.APPROVED, "", ReviewedImage.NONE);
    assertThat(catalog.load(ALICE, "deepo").descriptionCode()).isEqualTo("catalog.deepo");

    catalog.add(ROOT, Actor.of(ROOT), editedEntry("deepo", "lab:5000/deepo:v2.0", "ours"));
    assertThat(catalog.load(ALICE, "deepo").view())
        .containsEntry("description", "ours")
        .doesNotContainKey("descriptionCode");
  }

  @Test
  void availability_dependsOnEngineAndNode() {
    CatalogEntry entry = catalog.load(ALICE, "deepo");
    assertThat(entry.availability(false, Optional.empty())).isEqualTo(Availability.UNUSED);
    assertThat(entry.availability(true, Optional.empty())).isEqualTo(Availability.PULLABLE);
    assertThat(entry.availability(true, Optional.of("sha256:1"))).isEqualTo(Availability.LOCAL);
    CatalogEntry created = entry.withReviewedImage(new ReviewedImage("sha256:1", true));
    assertThat(created.availability(true, Optional.empty())).isEqualTo(Availability.MISSING);
  }
}
