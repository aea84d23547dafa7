package dev.trainyard.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.DataSize;
import dev.trainyard.model.JobId;
import dev.trainyard.model.TaskResources;
import dev.trainyard.scheduler.QueuedJob.Demand;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemandListTest {
  private static final int ROLES = 10_000;

  @Test
  void copyOf_manyRoles_isEqual() {
    List<Demand> demands = new ArrayList<>();
    for (int i = 0; i < ROLES; i++) {
      TaskResources resources =
          new TaskResources(
              i, new DataSize(i * 1_000_003L), DataSize.ofMegabytes(i), i % 9, "type " + i % 300);
      demands.add(new Demand("角色-" + i, i + 1, resources, i % 400));
    }
    demands.add(
        new Demand(
            "largest",
            Integer.MAX_VALUE,
            new TaskResources(
                Integer.MAX_VALUE,
                new DataSize(Long.MAX_VALUE),
                DataSize.ZERO,
                Integer.MAX_VALUE,
                "")));

    List<Demand> copy = DemandList.copyOf(demands);

    assertThat(copy).isEqualTo(demands).hasSameHashCodeAs(demands);
    assertThat(DemandList.copyOf(copy)).isSameAs(copy);
  }

  @Test
  void queuedJob_tenThousandEqualRoles_takesLittleMemory() {
    List<Demand> demands = new ArrayList<>();
    for (int i = 0; i < ROLES; i++) {
      TaskResources resources =
          new TaskResources(1_000, DataSize.ofMegabytes(8192), DataSize.ofMegabytes(64), 1, "");
      demands.add(new Demand("role" + i, 1, resources));
    }
    QueuedJob job = new QueuedJob(new JobId("01J0000000000000000000000A"), "ann", "vc", demands);

    assertThat(job.roles()).isInstanceOf(DemandList.class).hasSize(ROLES);
    assertThat(((DemandList) job.roles()).encodedSize()).isLessThan(20 * ROLES);
  }

  @Test
  void queuedJob_tenThousandDifferentRoles_takesLittleMemory() {
    List<Demand> demands = new ArrayList<>();
    for (int i = 0; i < ROLES; i++) {
      TaskResources resources =
          new TaskResources(i, DataSize.ofMegabytes(i), DataSize.ofMegabytes(i), i, "");
      demands.add(new Demand("role" + i, 1, resources));
    }
    QueuedJob job = new QueuedJob(new JobId("01J0000000000000000000000A"), "ann", "vc", demands);

    assertThat(((DemandList) job.roles()).encodedSize()).isLessThan(40 * ROLES);
  }
}
