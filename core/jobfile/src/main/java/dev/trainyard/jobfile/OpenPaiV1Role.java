package dev.trainyard.jobfile;

import dev.trainyard.model.DataSize;
import dev.trainyard.model.Message;
import dev.trainyard.model.PortRequest;
import dev.trainyard.model.RoleSpec;
import dev.trainyard.model.TaskResources;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Reads the items of {@code taskRoles}. One reader reads all roles of a file because their names
 * must be unique.
 */
final class OpenPaiV1Role {
  private static final int DEFAULT_MEMORY = 100;
  private static final int DEFAULT_SHARED_MEMORY = 64;
  private static final int MAX_PORT = 65_535;

  private final String deviceType;
  private final Problems problems;
  private final Set<String> names = new HashSet<>();

  OpenPaiV1Role(String deviceType, Problems problems) {
    this.deviceType = deviceType;
    this.problems = problems;
  }

  RoleSpec read(Fields fields) {
    OptionalInt tasks = fields.number("taskNumber", 1, 1);
    RoleSpec role =
        new RoleSpec(
            name(fields),
            tasks.orElse(1),
            resources(fields),
            ports(fields),
            fields.requiredText("command", JobFiles.MAX_LENGTH).orElse(""),
            limit(fields, "minFailedTaskCount", 1, tasks),
            limit(fields, "minSucceededTaskCount", 0, tasks));
    fields.rejectUnknown();
    return role;
  }

  private String name(Fields fields) {
    Optional<String> name = fields.requiredText("name", JobFiles.MAX_LENGTH);
    if (name.isPresent() && !NameRules.isRole(name.get())) {
      Message rule = Message.of("jobfile.role-name", "found", Excerpt.quoted(name.get()));
      reportIfRelevant(fields, "name", rule);
    } else if (name.isPresent() && !names.add(name.get())) {
      reportIfRelevant(fields, "name", Message.of("jobfile.role-name-taken", "name", name.get()));
    }
    return name.orElse("");
  }

  private TaskResources resources(Fields fields) {
    OptionalInt cpus = fields.number("cpuNumber", 1, 1);
    OptionalInt memory = fields.number("memoryMB", 100, DEFAULT_MEMORY);
    OptionalInt shared = fields.number("shmMB", 64, DEFAULT_SHARED_MEMORY);
    int devices = fields.number("gpuNumber", 0, 0).orElse(0);
    if (memory.isPresent() && shared.isPresent() && shared.getAsInt() > memory.getAsInt()) {
      Message above = Message.of("jobfile.shm-above-memory", "found", shared.getAsInt());
      reportIfRelevant(fields, "shmMB", above.with("memory", memory.getAsInt()));
    }
    return new TaskResources(
        cpus.orElse(1),
        DataSize.ofMegabytes(memory.orElse(DEFAULT_MEMORY)),
        DataSize.ofMegabytes(shared.orElse(DEFAULT_SHARED_MEMORY)),
        devices,
        devices > 0 ? deviceType : "");
  }

  /** Returns a number of tasks of this role; null disables the rule. */
  private int limit(Fields fields, String name, int absent, OptionalInt tasks) {
    OptionalInt limit = fields.numberOrNull(name, 1, absent);
    if (limit.isPresent() && tasks.isPresent() && limit.getAsInt() > tasks.getAsInt()) {
      Message above = Message.of("jobfile.count-above-tasks", "found", limit.getAsInt());
      reportIfRelevant(fields, name, above.with("tasks", tasks.getAsInt()));
    }
    return limit.orElse(absent);
  }

  private List<PortRequest> ports(Fields fields) {
    Optional<Located> value = fields.find("portList");
    if (value.isEmpty()) {
      return List.of();
    }
    String path = fields.path("portList");
    List<PortRequest> ports = new ArrayList<>();
    Set<String> labels = new HashSet<>();
    for (Fields item : Fields.tables(path, value.get(), problems)) {
      ports.add(port(item, labels));
    }
    return ports;
  }

  private PortRequest port(Fields fields, Set<String> labels) {
    Optional<String> label = fields.requiredText("label", JobFiles.MAX_LENGTH);
    if (label.isPresent() && !NameRules.isPortLabel(label.get())) {
      Message rule = Message.of("jobfile.port-label", "found", Excerpt.quoted(label.get()));
      reportIfRelevant(fields, "label", rule);
    } else if (label.isPresent() && !labels.add(label.get())) {
      reportIfRelevant(
          fields, "label", Message.of("jobfile.port-label-taken", "name", label.get()));
    }
    OptionalInt first = fields.number("beginAt", 0, MAX_PORT, 0);
    OptionalInt count = fields.number("portNumber", 1, MAX_PORT, 1);
    int last = first.orElse(0) + count.orElse(1) - 1;
    if (first.orElse(0) > 0 && last > MAX_PORT) {
      reportIfRelevant(fields, "portNumber", Message.of("jobfile.ports-beyond-last", "last", last));
    }
    fields.rejectUnknown();
    return new PortRequest(label.orElse(""), first.orElse(0), count.orElse(1));
  }

  /** Reports a problem only for fields that are present, or whose default violates a rule. */
  private void reportIfRelevant(Fields fields, String name, Message message) {
    problems.add(fields.path(name), fields.placeOf(name), message);
  }
}
