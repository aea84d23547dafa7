package dev.trainyard.server.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.jobfile.Secrets;
import dev.trainyard.model.JobId;
import dev.trainyard.model.Ulid;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

@EveryDatabase
class KeyRotationTest {
  private static final Ulid IDS = new Ulid(InstantSource.system());
  private static final Secrets SECRETS =
      new Secrets(Map.of("token", "hunter2", "number", 0.1, "list", List.of("a", true)));

  private final Db db;
  private final KeyRing ring = TestSecrets.ring();
  private final JobSecrets secrets = new JobSecrets(ring);
  private final SecretStore store = new SecretStore();

  KeyRotationTest(Db db) {
    this.db = db;
  }

  private JobId store(String owner) {
    JobId job = new JobId(IDS.next());
    secrets.withStableKey(
        () ->
            db.write(
                handle -> {
                  handle.execute(
                      "insert into job (id, version, user_id, user_name, name, state, format,"
                          + " image, virtual_cluster, cpus, memory_mb, devices, task_count,"
                          + " attempt, submitted) values (?, 1, ?, ?, ?, 'FAILED', 'v2', '', '',"
                          + " 1, 1, 0, 1, 0, 0)",
                      job.value(),
                      owner,
                      owner,
                      job.value());
                  secrets.insert(handle, owner, job, SECRETS);
                  return job;
                }));
    return job;
  }

  private SealedSecrets sealed(JobId job) {
    return db.read(handle -> secrets.find(handle, job)).orElseThrow();
  }

  @Test
  void open_onlyForItsJobAndOwner() throws UnreadableSecretsException {
    JobId job = store("alice");
    assertThat(sealed(job).sealed()).doesNotContain("hunter2");
    assertThat(secrets.open("alice", job, sealed(job)).values()).isEqualTo(SECRETS.values());
    JobId other = store("alice");
    for (Runnable moved :
        List.<Runnable>of(
            () -> open("bob", job, sealed(job)), () -> open("alice", other, sealed(job)))) {
      assertThatThrownBy(moved::run).hasMessageContaining("belong to another job");
    }
  }

  private Secrets open(String owner, JobId job, SealedSecrets sealed) {
    try {
      return secrets.open(owner, job, sealed);
    } catch (UnreadableSecretsException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  @Test
  void insert_nothing() {
    db.write(
        handle -> {
          secrets.insert(handle, "alice", new JobId(IDS.next()), Secrets.NONE);
          return 0;
        });
    assertThat(JobSecrets.exist(db)).isFalse();
  }

  @Test
  void rotate_reencryptsAllAndDeletesTheOldKey() {
    List<JobId> jobs =
        java.util.stream.IntStream.range(0, 450).mapToObj(i -> store("user" + i % 7)).toList();
    String old = ring.newest().id();
    assertThat(JobSecrets.exist(db)).isTrue();

    KeyRotation.Report report =
        new KeyRotation(db, ring, secrets, InstantSource.system()).rotate(Actor.SYSTEM);

    assertThat(report)
        .isEqualTo(new KeyRotation.Report(ring.newest().id(), jobs.size(), 0, 1))
        .extracting(KeyRotation.Report::key)
        .isNotEqualTo(old);
    assertThat(db.<Set<String>>read(store::keys)).isEqualTo(Set.of(report.key()));
    assertThat(ring.find(old)).isEmpty();
    for (int i = 0; i < jobs.size(); i++) {
      SealedSecrets sealed = sealed(jobs.get(i));
      assertThat(open("user" + i % 7, jobs.get(i), sealed).values()).isEqualTo(SECRETS.values());
    }
  }

  /** The server ended after the new key was written and some rows were re-encrypted with it. */
  @Test
  void rotate_afterInterruptedRotation() {
    JobId first = store("alice");
    String old = ring.newest().id();
    secrets.changeKey();
    JobId second = store("alice");
    assertThat(open("alice", first, sealed(first)).isEmpty()).isFalse();
    assertThat(open("alice", second, sealed(second)).isEmpty()).isFalse();

    KeyRotation.Report report =
        new KeyRotation(db, ring, secrets, InstantSource.system()).rotate(Actor.SYSTEM);

    assertThat(report.reencrypted()).isEqualTo(2);
    assertThat(report.deletedKeys()).isEqualTo(2);
    assertThat(ring.find(old)).isEmpty();
    assertThat(open("alice", first, sealed(first)).isEmpty()).isFalse();
  }

  @Test
  void rotate_unreadableSecretsAreKept() {
    JobId lost = store("alice");
    KeyRing other = TestSecrets.ring();
    JobSecrets later = new JobSecrets(other);

    KeyRotation.Report report =
        new KeyRotation(db, other, later, InstantSource.system()).rotate(Actor.SYSTEM);

    assertThat(report.unreadable()).isEqualTo(1);
    assertThat(report.reencrypted()).isZero();
    assertThat(open("alice", lost, sealed(lost)).isEmpty()).isFalse();
    assertThatThrownBy(() -> later.open("alice", lost, sealed(lost)))
        .isInstanceOf(UnreadableSecretsException.class)
        .hasMessageContaining(ring.newest().id())
        .hasMessageContaining("secret-keys");
  }

  @Test
  void delete_ofTheJob() {
    JobId job = store("alice");
    db.write(handle -> handle.execute("delete from job where id = ?", job.value()));
    assertThat(db.<Optional<SealedSecrets>>read(handle -> secrets.find(handle, job))).isEmpty();
  }
}
