package dev.trainyard.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.JobState;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.db.Databases;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.Outages;
import dev.trainyard.server.db.PostgresProxy;
import dev.trainyard.server.db.TestDatabase;
import dev.trainyard.server.job.JobFileText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Submits jobs while PostgreSQL fails in every mode of {@link PostgresProxy}. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@Execution(ExecutionMode.CONCURRENT)
class QueueOutageTest {
  /** Set by the Maven profile full; one round of all kinds of outage takes some seconds. */
  private static final int ROUNDS = Boolean.getBoolean("trainyard.full") ? 3 : 1;

  private static final int JOBS = 12;
  private static final Duration OUTAGE = Duration.ofSeconds(3);

  private final PostgresProxy proxy = new PostgresProxy(TestDatabase.POSTGRESQL.createUrl());
  private final Db db = Databases.open(proxy.url() + "&socketTimeout=2", Path.of("unused"));
  private final JobFixture fixture = new JobFixture(db).started();

  /** Names of jobs by the result of their submission. */
  private enum Answer {
    ACCEPTED,
    REFUSED,
    UNCERTAIN
  }

  private final Map<String, Answer> answers = new ConcurrentHashMap<>();

  @AfterEach
  void close() throws IOException {
    proxy.set(PostgresProxy.Mode.PASS);
    fixture.close();
    db.close();
    proxy.close();
  }

  @Test
  void submit_whilePostgresFails_runsEveryAcceptedJobOnceAndStoresNoRejectedJob() throws Exception {
    fixture.engine.endStartedTasks();
    for (int round = 0; round < ROUNDS; round++) {
      for (PostgresProxy.Mode mode : PostgresProxy.Mode.values()) {
        submitDuring(mode, "r" + round + "-" + mode.name().toLowerCase(java.util.Locale.ROOT));
      }
    }
    Map<String, JobState> stored = new TreeMap<>();
    JobFixture.eventually(
        () -> {
          fixture.advanceClock(Duration.ofMinutes(1));
          stored.clear();
          stored.putAll(states());
          return stored.values().stream().allMatch(JobState::isFinal);
        },
        "the end of all jobs");
    answers.forEach(
        (name, response) -> {
          switch (response) {
            case ACCEPTED -> assertThat(stored).containsEntry(name, JobState.SUCCEEDED);
            case REFUSED -> assertThat(stored).doesNotContainKey(name);
            case UNCERTAIN ->
                assertThat(stored.getOrDefault(name, JobState.SUCCEEDED))
                    .isEqualTo(JobState.SUCCEEDED);
          }
        });
    assertThat(answers).containsValue(Answer.ACCEPTED).containsValue(Answer.REFUSED);
    assertThat(stored.keySet()).isSubsetOf(answers.keySet());
    List<TaskId> started = fixture.engine.started();
    assertThat(started).doesNotHaveDuplicates().hasSize(stored.size());
    assertThat(started.stream().map(TaskId::job).collect(Collectors.toSet()))
        .hasSize(stored.size());
  }

  /** Submits before, during and after an outage. */
  private void submitDuring(PostgresProxy.Mode mode, String prefix) throws Exception {
    List<Future<?>> submissions = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < JOBS; i++) {
        String name = prefix + "-" + i;
        if (i == JOBS / 3) {
          proxy.set(mode);
        }
        submissions.add(threads.submit(() -> submit(name)));
      }
      LockSupport.parkNanos(OUTAGE.toNanos());
      proxy.set(PostgresProxy.Mode.PASS);
      for (Future<?> submission : submissions) {
        submission.get();
      }
    }
  }

  private void submit(String name) {
    try {
      fixture.submit(JobFileText.named(name));
      answers.put(name, Answer.ACCEPTED);
    } catch (RuntimeException e) {
      Outages.Kind kind = Outages.kind(e).orElseThrow(() -> e);
      answers.put(name, kind == Outages.Kind.UNKNOWN_OUTCOME ? Answer.UNCERTAIN : Answer.REFUSED);
    }
  }

  private Map<String, JobState> states() {
    Set<Map.Entry<String, JobState>> rows =
        db.read(
            handle ->
                handle
                    .createQuery("select name, state from job")
                    .map(
                        (row, _) -> Map.entry(row.getString(1), JobState.valueOf(row.getString(2))))
                    .set());
    return rows.stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }
}
