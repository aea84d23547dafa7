package dev.trainyard.server.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.ImageException;
import dev.trainyard.engine.LocalImage;
import dev.trainyard.engine.RegistryLogin;
import dev.trainyard.engine.testkit.MemoryImages;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ImageReference;
import dev.trainyard.model.JobId;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.fixture.MutableClock;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.image.CatalogEntry.ReviewedImage;
import dev.trainyard.server.secret.LoginSecrets;
import dev.trainyard.server.secret.TestSecrets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Permissions for operations on the images of the node. */
@EveryDatabase
class LocalImagesTest {
  private static final Caller ALICE = new Caller("u1", "Alice", false, "t1");
  private static final Caller BOB = new Caller("u2", "bob", false, "t2");
  private static final Caller ROOT = new Caller("u0", "root", true, "t0");
  private static final TaskId TASK =
      new TaskId(new JobId("01ARZ3NDEKTSV4RRFFQ69G5FAV"), 1, "main", 0);

  private final MemoryImages images = new MemoryImages();
  private final NodeImageService machine;
  private final LocalImages local;
  private final Catalog catalog;

  private final RegistryService registries;

  LocalImagesTest(Db db) {
    MutableClock clock = new MutableClock();
    Audit audit = new Audit(clock);
    catalog = new Catalog(db, audit, clock);
    machine = new NodeImageService(db, clock);
    registries = new RegistryService(db, audit);
    registries.create(Actor.of(ROOT), new Registry("lab:5000", false, "", List.of()));
    local =
        new LocalImages(
            db,
            images,
            new ImagePulls(images),
            catalog,
            machine,
            new RegistryLogins(db, new LoginSecrets(TestSecrets.create()), audit, clock),
            registries,
            audit);
  }

  private LocalImage commit(Caller caller, String name, boolean push) {
    return local.commit(caller, Actor.of(caller), TASK, name, push, _ -> {});
  }

  private List<String> imagesVisibleTo(Caller caller) {
    return local.list(caller).stream()
        .map(image -> image.get("reference").toString())
        .sorted()
        .toList();
  }

  private static void assertRejected(String code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            AppException.class, e -> assertThat(e.text().code()).isEqualTo(code));
  }

  @Test
  void commit_plainName_inNamespaceOfUser() {
    assertThat(commit(ALICE, "mine:1", false).references()).containsExactly("alice/mine:1");
    assertThat(commit(ALICE, "alice/mine:2", false).references()).containsExactly("alice/mine:2");
    assertRejected("error.image-not-own", () -> commit(ALICE, "bob/mine", false));
    assertRejected("error.image-name", () -> commit(ALICE, "Not A Name", false));
    assertThat(commit(ROOT, "ubuntu:16.04", false).references()).containsExactly("ubuntu:16.04");
  }

  @Test
  void commit_ownImage_mayBeReplaced() {
    commit(ALICE, "mine:1", false);
    commit(ALICE, "mine:1", false);
    images.add("lab:5000/base:1", Instant.EPOCH);
    assertRejected("error.image-taken", () -> commit(ALICE, "lab:5000/base:1", true));
  }

  @Test
  void commit_withRegistry_isPushed() {
    assertRejected("error.image-push-needed", () -> commit(ALICE, "lab:5000/a:1", false));
    assertRejected("error.image-push-where", () -> commit(ALICE, "mine:1", true));
    commit(ALICE, "lab:5000/a:1", true);
    assertThat(images.pushed()).containsExactly("lab:5000/a:1");
  }

  @Test
  void commit_pushRejected_imageRemoved() {
    ImageReference reference = ImageReference.of("lab:5000/team/base:1");
    images.fail(new ImageException(ImageException.Kind.LOGIN_REFUSED, "denied"));
    assertRejected("error.image-login-refused", () -> commit(ALICE, "lab:5000/team/base:1", true));
    assertThat(images.find(reference)).isEmpty();
    assertThat(machine.find(reference)).isEmpty();
  }

  @Test
  void commit_failed_previousReadersKeepTheirAccess() {
    ImageReference reference = ImageReference.of("lab:5000/team/base:1");
    LocalImage image = images.add("lab:5000/team/base:1", Instant.EPOCH);
    machine.pullFinished("u1", true, reference, image);
    machine.pullFinished("u2", true, reference, image);
    images.failCommits(new ImageException(ImageException.Kind.DISK_FULL, "no space left"));

    assertThatThrownBy(() -> commit(ROOT, "lab:5000/team/base:1", true))
        .isInstanceOf(AppException.class);

    assertThat(machine.mayUse("u1", false, reference, image)).isTrue();
    assertThat(machine.mayUse("u2", false, reference, image)).isTrue();
    assertThat(machine.mayUse("u3", false, reference, image)).isFalse();
    assertThat(machine.mayUse("u0", false, reference, image)).as("the failed creator").isFalse();
  }

  @Test
  void pull_withoutLoginFails_marksOfAConcurrentPullWithLoginAreKept() {
    ImageReference reference = ImageReference.of("lab:5000/team/base:1");
    machine.pullStarted(reference); // by a pull with a login that has not finished yet
    images.fail(new ImageException(ImageException.Kind.LOGIN_REFUSED, "denied"));

    assertThatThrownBy(
            () ->
                local.pull(
                    BOB, Actor.of(BOB), "lab:5000/team/base:1", new CompletableFuture<>(), _ -> {}))
        .isInstanceOf(AppException.class);

    assertThat(machine.find(reference).map(NodeImage::restricted)).contains(true);
  }

  @Test
  void checkAccess_whileBeingCreated_denied() {
    ImageReference reference = ImageReference.of("lab:5000/team/base:1");
    LocalImage image = images.add("lab:5000/team/base:1", Instant.EPOCH);
    machine.createStarted("u1", reference);
    machine.created(reference, image);
    assertThat(machine.checkAccess("u1", false, reference, Optional.of(image)).usable()).isFalse();
    assertThat(machine.checkAccess("u0", true, reference, Optional.of(image)).usable()).isFalse();
    machine.createFinished(reference, image);
    assertThat(machine.checkAccess("u1", false, reference, Optional.of(image)).usable()).isTrue();
    assertThat(machine.checkAccess("u0", true, reference, Optional.of(image)).usable())
        .as("an administrator's job may have meant another image")
        .isFalse();
  }

  @Test
  void commit_catalogName_onlyAdministrators() {
    CatalogEntry entry =
        new CatalogEntry(
            "base",
            "lab:5000/team/base:1",
            "",
            "",
            List.of(),
            CatalogEntry.State.APPROVED,
            "u0",
            "root",
            "");
    catalog.add(ROOT, Actor.of(ROOT), entry);
    assertRejected("error.image-in-catalogue", () -> commit(ALICE, "lab:5000/team/base:1", true));
    commit(ROOT, "lab:5000/team/base:1", true);
  }

  @Test
  void approve_createdImage_onlyThatOneUsable() {
    ImageReference reference = ImageReference.of("alice/mine:1");
    NodeImageResolver resolver = new NodeImageResolver(Optional.of(images), machine);
    LocalImage first = commit(ALICE, "mine:1", false);
    assertThat(resolver.reviewedImage(reference)).isEqualTo(new ReviewedImage(first.id(), true));
    catalog.add(
        ROOT,
        Actor.of(ROOT),
        new CatalogEntry(
                "mine",
                reference.toString(),
                "",
                "",
                List.of(),
                CatalogEntry.State.APPROVED,
                "u0",
                "root",
                "")
            .withReviewedImage(resolver.reviewedImage(reference)));
    assertThat(machine.checkAccess("u2", false, reference, Optional.of(first)).usable()).isTrue();

    LocalImage second = commit(ROOT, "alice/mine:1", false);
    assertThat(resolver.ids()).containsEntry(reference.toString(), second.id());
    assertThat(machine.checkAccess("u2", false, reference, Optional.of(second)).usable()).isFalse();
    assertThat(imagesVisibleTo(BOB)).isEmpty();
  }

  @Test
  void reviewedImage_pulledImage_notFixed() {
    LocalImage image = images.add("lab:5000/base:1", Instant.EPOCH);
    ImageReference reference = ImageReference.of("lab:5000/base:1");
    assertThat(new NodeImageResolver(Optional.of(images), machine).reviewedImage(reference))
        .isEqualTo(new ReviewedImage(image.id(), false));
    assertThat(new NodeImageResolver(Optional.empty(), machine).reviewedImage(reference))
        .isEqualTo(ReviewedImage.NONE);
  }

  @Test
  void commit_byUserNamedLibrary_isNotOfficialImage() {
    Caller library = new Caller("u3", "Library", false, "t3");
    assertRejected("error.image-official", () -> commit(library, "ubuntu:22.04", false));
    assertRejected("error.image-official", () -> commit(library, "library/ubuntu:22.04", false));
  }

  @Test
  void registry_onTheServersHost_onlyAdministratorsUntilRegistered() {
    assertRejected("error.registry-near", () -> commit(ALICE, "127.0.0.1:22/a:1", true));
    assertRejected(
        "error.registry-near",
        () ->
            local.pull(
                ALICE,
                Actor.of(ALICE),
                "169.254.169.254/latest/meta-data:1",
                new CompletableFuture<>(),
                _ -> {}));
    assertThat(images.pushed()).isEmpty();
    commit(ROOT, "127.0.0.1:5000/a:1", true);
    registries.create(Actor.of(ROOT), new Registry("127.0.0.1:5000", true, "", List.of()));
    commit(ALICE, "127.0.0.1:5000/b:1", true);
    assertThat(images.pushed()).containsExactly("127.0.0.1:5000/a:1", "127.0.0.1:5000/b:1");
  }

  @Test
  void list_createdImage_visibleToItsCreator() {
    commit(ALICE, "mine:1", false);
    images.add("ubuntu:16.04", Instant.EPOCH);
    assertThat(imagesVisibleTo(ALICE)).containsExactly("alice/mine:1", "ubuntu:16.04");
    assertThat(imagesVisibleTo(BOB)).containsExactly("ubuntu:16.04");
    assertThat(imagesVisibleTo(ROOT)).containsExactly("alice/mine:1", "ubuntu:16.04");
  }

  @Test
  void remove_byOtherUser_rejected() {
    commit(ALICE, "mine:1", false);
    images.add("ubuntu:16.04", Instant.EPOCH);
    assertRejected("error.image-not-made", () -> local.remove(BOB, Actor.of(BOB), "alice/mine:1"));
    assertRejected(
        "error.image-not-made", () -> local.remove(ALICE, Actor.of(ALICE), "ubuntu:16.04"));
    local.remove(ALICE, Actor.of(ALICE), "alice/mine:1");
    images.use("ubuntu:16.04");
    assertRejected("error.image-in-use", () -> local.remove(ROOT, Actor.of(ROOT), "ubuntu:16.04"));
    assertRejected("error.image-unknown", () -> local.remove(ROOT, Actor.of(ROOT), "none"));
  }

  @Test
  void mayUse_earlierVersionByDigest_restricted() {
    LocalImage made = commit(ALICE, "mine:1", false);
    commit(ALICE, "mine:1", false);
    ImageReference reference = ImageReference.of("lab:5000/p:1");
    LocalImage pulled = images.add("lab:5000/p:1", Instant.EPOCH);
    machine.pullFinished("u1", true, reference, pulled);
    machine.pullFinished("u1", true, reference, images.add("lab:5000/p:1", Instant.EPOCH));
    LocalImage removed = commit(ALICE, "mine:2", false);
    local.remove(ALICE, Actor.of(ALICE), "alice/mine:2");

    for (LocalImage image : List.of(made, pulled, removed)) {
      ImageReference digest = ImageReference.of("lab:5000/p@" + image.id());
      assertThat(machine.mayUse("u2", false, digest, image)).as(image.toString()).isFalse();
    }
    machine.pullFinished("u2", false, ImageReference.of("lab:5000/open:1"), pulled);
    assertThat(machine.mayUse("u2", false, ImageReference.of("lab:5000/p@" + pulled.id()), pulled))
        .as("the registry serves it to all users now")
        .isTrue();
  }

  @Test
  void mayUse_createdByAnotherServer_onlyAdministrators() {
    ImageReference reference = ImageReference.of("carol/theirs:1");
    LocalImage image = images.commit(TASK, reference, Map.of(LocalImages.OWNER_LABEL, "carol"));
    assertThat(machine.mayUse("u1", false, reference, image)).isFalse();
    assertThat(machine.mayUse("u0", true, reference, image)).isTrue();
    machine.imageUsed(reference, image);
    assertThat(machine.mayUse("u1", false, reference, image)).as("used by one").isFalse();

    ImageReference open = ImageReference.of("lab:5000/theirs:1");
    machine.pullFinished("u1", false, open, image);
    assertThat(machine.mayUse("u1", false, open, image))
        .as("a registry serves it to all users")
        .isTrue();
  }

  @Test
  void mayUse_privateImage_onlyUsersAllowedByTheRegistry() {
    ImageReference reference = ImageReference.of("lab:5000/p:1");
    images.offer("lab:5000/p:1", new RegistryLogin("a", "p"));
    LocalImage image = images.add("lab:5000/p:1", Instant.EPOCH);
    machine.pullFinished("u1", true, reference, image);
    ImageReference otherName = ImageReference.of("lab:5000/p@" + image.id());

    assertThat(machine.mayUse("u1", false, reference, image)).isTrue();
    assertThat(machine.mayUse("u2", false, reference, image)).isFalse();
    assertThat(machine.mayUse("u2", false, otherName, image)).as("by its digest").isFalse();
    assertThat(machine.mayUse("u0", true, reference, image)).isTrue();

    machine.pullFinished("u2", true, reference, image);
    assertThat(machine.mayUse("u2", false, reference, image)).isTrue();
    assertThat(machine.mayUse("u1", false, reference, image)).as("still").isTrue();
  }
}
