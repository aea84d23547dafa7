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
 * Reads the items of {@code taskRoles}. One reader reads all roles of a file, because it checks
 * that their names are unique.
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
      reportField(fields, "name", rule);
    } else if (name.isPresent() && !names.add(name.get())) {
      reportField(fields, "name", Message.of("jobfile.role-name-taken", "name", name.get()));
    }
    return name.orElse("");
  }

  private TaskResources resources(Fields fields) {
    OptionalInt cpus = fields.number("cpuNumber", 1, 1);
    OptionalInt memory = fields.number("memoryMB", 100, DEFAULT_MEMORY);
    OptionalInt sharedMemory = fields.number("shmMB", 64, DEFAULT_SHARED_MEMORY);
    int devices = fields.number("gpuNumber", 0, 0).orElse(0);
    if (memory.isPresent()
        && sharedMemory.isPresent()
        && sharedMemory.getAsInt() > memory.getAsInt()) {
      Message problem = Message.of("jobfile.shm-above-memory", "found", sharedMemory.getAsInt());
      reportField(fields, "shmMB", problem.with("memory", memory.getAsInt()));
    }
    return new TaskResources(
        cpus.orElse(1),
        DataSize.ofMegabytes(memory.orElse(DEFAULT_MEMORY)),
        DataSize.ofMegabytes(sharedMemory.orElse(DEFAULT_SHARED_MEMORY)),
        devices,
        devices > 0 ? deviceType : "");
  }

  /** Reads a limit for the number of failed or succeeded tasks; null disables the rule. */
  private int limit(Fields fields, String name, int defaultValue, OptionalInt tasks) {
    OptionalInt limit = fields.numberOrNull(name, 1, defaultValue);
    if (limit.isPresent() && tasks.isPresent() && limit.getAsInt() > tasks.getAsInt()) {
      Message problem = Message.of("jobfile.count-above-tasks", "found", limit.getAsInt());
      reportField(fields, name, problem.with("tasks", tasks.getAsInt()));
    }
    return limit.orElse(defaultValue);
  }

  private List<PortRequest> ports(Fields fields) {
    Optional<DocumentValue> value = fields.find("portList");
    if (value.isEmpty()) {
      return List.of();
    }
    String path = fields.path("portList");
    List<PortRequest> ports = new ArrayList<>();
    Set<String> labels = new HashSet<>();
    for (Fields item : Fields.readObjects(path, value.get(), problems)) {
      ports.add(port(item, labels));
    }
    return ports;
  }

  private PortRequest port(Fields fields, Set<String> labels) {
    Optional<String> label = fields.requiredText("label", JobFiles.MAX_LENGTH);
    if (label.isPresent() && !NameRules.isPortLabel(label.get())) {
      Message rule = Message.of("jobfile.port-label", "found", Excerpt.quoted(label.get()));
      reportField(fields, "label", rule);
    } else if (label.isPresent() && !labels.add(label.get())) {
      reportField(fields, "label", Message.of("jobfile.port-label-taken", "name", label.get()));
    }
    OptionalInt firstPort = fields.number("beginAt", 0, MAX_PORT, 0);
    OptionalInt count = fields.number("portNumber", 1, MAX_PORT, 1);
    int lastPort = firstPort.orElse(0) + count.orElse(1) - 1;
    if (firstPort.orElse(0) > 0 && lastPort > MAX_PORT) {
      reportField(fields, "portNumber", Message.of("jobfile.ports-beyond-last", "last", lastPort));
    }
    fields.rejectUnknown();
    return new PortRequest(label.orElse(""), firstPort.orElse(0), count.orElse(1));
  }

  /**
   * Reports a problem of a field. If the field is missing, the position of the object is reported.
   */
  private void reportField(Fields fields, String name, Message message) {
    problems.add(fields.path(name), fields.positionOf(name), message);
  }
}
