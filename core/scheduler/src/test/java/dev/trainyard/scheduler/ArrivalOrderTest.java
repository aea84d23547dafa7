package dev.trainyard.scheduler;

import static dev.trainyard.scheduler.Cluster.id;
import static dev.trainyard.scheduler.Cluster.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.JobId;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArrivalOrderTest {
  /**
   * Compares with a tree map; uses up to some thousand jobs, so that blocks are split and removed.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void all_randomOperations_equalsSortedMap(long seed) {
    Random random = new Random(seed);
    ArrivalOrder order = new ArrivalOrder();
    TreeMap<JobId, QueuedJob> expected = new TreeMap<>();
    for (int round = 0; round < 30_000; round++) {
      boolean isGrowing = (round / 6000) % 2 == 0;
      int number = seed % 2 == 0 && isGrowing ? round : random.nextInt(5000);
      if (random.nextInt(10) < (isGrowing ? 9 : 2)) {
        QueuedJob job = job(number, round, 100, 0);
        order.put(job);
        expected.put(job.id(), job);
      } else {
        order.remove(id(number));
        expected.remove(id(number));
      }
      JobId probe = id(random.nextInt(30_000));
      assertThat(order.find(probe).orElse(null)).isEqualTo(expected.get(probe));
      if (round % 500 == 0) {
        assertThat(order.countAhead(probe)).isEqualTo(expected.headMap(probe).size());
        assertThat(order).containsExactlyElementsOf(expected.values());
      }
    }
  }
}
