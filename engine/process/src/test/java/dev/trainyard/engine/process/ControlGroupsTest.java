package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.DataSize;
import dev.trainyard.model.TaskResources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlGroupsTest {
  private static final TaskResources RESOURCES =
      new TaskResources(3, DataSize.ofMegabytes(512), DataSize.ZERO, 0, "");

  @TempDir Path root;

  @Test
  void find_noControlGroups_isEmpty() throws IOException {
    assertThat(ControlGroups.find(table("10 1 0:1 / / rw - ext4 none rw"), "label")).isEmpty();
  }

  @Test
  void find_directoryCannotBeCreated_isEmpty() throws IOException {
    assertThat(ControlGroups.find(table(mount("/proc/nowhere", "cgroup2", "rw")), "label"))
        .isEmpty();
  }

  @Test
  void find_limitsTheProcessesOfAllTasksTogether() throws IOException {
    Path limit = Files.createDirectories(root.resolve("trainyard")).resolve("pids.max");
    Files.createFile(limit);
    ControlGroups.find(
        table(mount(root.toString(), "cgroup2", "rw")), "label", ProcessLimits.of(32768));

    assertThat(limit).hasContent("24576");
  }

  @Test
  void create_version2() throws IOException {
    ControlGroups groups =
        ControlGroups.find(table(mount(root.toString(), "cgroup2", "rw")), "label").orElseThrow();
    // The kernel creates these files; here the test does.
    Path task = Files.createDirectories(root.resolve("trainyard/label-t1"));
    for (String file : List.of("memory.max", "memory.swap.max", "cpu.max", "pids.max")) {
      Files.createFile(task.resolve(file));
    }

    assertThat(groups.create("t1", RESOURCES)).containsExactly(task);
    assertThat(root.resolve("cgroup.subtree_control")).hasContent("+memory +cpu +pids");
    assertThat(root.resolve("trainyard/cgroup.subtree_control")).hasContent("+memory +cpu +pids");
    assertThat(task.resolve("memory.max")).hasContent("536870912");
    assertThat(task.resolve("memory.swap.max")).hasContent("0");
    assertThat(task.resolve("cpu.max")).hasContent("300000 100000");
    assertThat(task.resolve("pids.max")).hasContent("16384");
  }

  @Test
  void create_version1() throws IOException {
    for (String controller : List.of("memory", "cpu", "pids")) {
      Files.createDirectories(root.resolve(controller).resolve("trainyard/label-t1"));
    }
    Path memory = Files.createFile(root.resolve("memory/trainyard/label-t1/memory.limit_in_bytes"));
    Path quota = Files.createFile(root.resolve("cpu/trainyard/label-t1/cpu.cfs_quota_us"));
    Path pids = Files.createFile(root.resolve("pids/trainyard/label-t1/pids.max"));
    ControlGroups groups =
        ControlGroups.find(
                table(
                    mount(root + "/pids", "cgroup", "rw,pids"),
                    mount(root + "/cpu", "cgroup", "rw,cpu,cpuacct"),
                    mount(root + "/memory", "cgroup", "rw,memory")),
                "label")
            .orElseThrow();

    assertThat(groups.create("t1", RESOURCES).getFirst()).isEqualTo(memory.getParent());
    assertThat(memory).hasContent("536870912");
    assertThat(quota).hasContent("300000");
    assertThat(pids).hasContent("16384");
  }

  private static MountTable table(String... lines) {
    return MountTable.parse(List.of(lines));
  }

  private static String mount(String mountPoint, String type, String options) {
    return "10 1 0:1 / " + mountPoint + " rw - " + type + " none " + options;
  }
}
