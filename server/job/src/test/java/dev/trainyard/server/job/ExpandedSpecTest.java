package dev.trainyard.server.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.TestDatabase;
import dev.trainyard.server.queue.JobFixture;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests jobs whose small files expand to large specs. */
class ExpandedSpecTest {
  private static final int ROLES = 100;
  private static final int COMMAND_LENGTH = 8 * 1024;
  private static final long EXPANDED = (long) ROLES * COMMAND_LENGTH;

  private final Db db = TestDatabase.SQLITE.create();
  private final JobFixture fixture = new JobFixture(db);

  @AfterEach
  void close() {
    fixture.close();
    db.close();
  }

  /** A v2 file whose roles are aliases of one long command. */
  private static String file(int roles) {
    StringBuilder text =
        new StringBuilder(
            """
            protocolVersion: 2
            name: expanded
            type: job
            prerequisites: [{name: i, type: dockerimage, uri: x}]
            taskRoles:
             r0: {dockerImage: i, resourcePerInstance: {cpu: 999, memoryMB: 1, gpu: 0}, \
            commands: &c ["\
            """);
    text.append("x".repeat(roles == 1 ? 10 : COMMAND_LENGTH)).append("\"]}\n");
    for (int i = 1; i < roles; i++) {
      text.append(" r").append(i);
      text.append(": {dockerImage: i, resourcePerInstance: {cpu: 999, memoryMB: 1, gpu: 0}");
      text.append(", commands: *c}\n");
    }
    return text.toString();
  }

  @Test
  void submit_fileExpands_sizeOfTheSpecIsCounted() {
    String file = file(ROLES);
    assertThat(file.length()).isLessThan(20_000);
    Job job = fixture.submit(file);
    assertThat(fileBytes(job)).isGreaterThan(EXPANDED);
  }

  private long fileBytes(Job job) {
    return db.read(
        handle ->
            handle
                .createQuery("select file_bytes from job where id = :id")
                .bind("id", job.id().value())
                .mapTo(Long.class)
                .one());
  }

  @Test
  void check_fileExpands_admissionGetsTheSizeOfTheSpec() {
    List<Long> sizes = new ArrayList<>();
    fixture.admission = (_, _, _, bytes) -> sizes.add(bytes);
    fixture.service().check().of(JobFixture.ALICE, file(ROLES));
    fixture.submit(file(ROLES));
    assertThat(sizes).hasSize(2).allSatisfy(size -> assertThat(size).isGreaterThan(EXPANDED));
  }

  @Test
  void read_largeSpec_inThePool() {
    ConfigReader reader = new ConfigReader(db, fixture.store);
    assertThat(readerThread(reader, fixture.submit(file(ROLES)))).startsWith("parsing");
  }

  @Test
  void read_smallSpec_onTheCallingThread() {
    ConfigReader reader = new ConfigReader(db, fixture.store);
    assertThat(readerThread(reader, fixture.submit(file(1))))
        .isEqualTo(Thread.currentThread().getName());
  }

  private static String readerThread(ConfigReader reader, Job job) {
    return reader.read(job, _ -> Thread.currentThread().getName());
  }
}
