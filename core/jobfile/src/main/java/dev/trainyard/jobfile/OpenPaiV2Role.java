package dev.trainyard.jobfile;

import dev.trainyard.model.DataSize;
import dev.trainyard.model.Message;
import dev.trainyard.model.PortRequest;
import dev.trainyard.model.Prerequisite;
import dev.trainyard.model.RolePrerequisites;
import dev.trainyard.model.RoleSpec;
import dev.trainyard.model.TaskResources;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads the task roles of an OpenPAI v2 file. */
final class OpenPaiV2Role {
  private static final int DEFAULT_SHARED_MEMORY = 512;
  private static final int MIN_MEMORY = 100;
  private static final int MAX_SHORT_TEXT = 1024;
  private static final int MAX_PORTS = 65_535;
  private static final int MAX_LABEL_LENGTH = 64;

  private final OpenPaiV2Prerequisites prerequisites;
  private final OpenPaiV2Commands commands;
  private final String deviceType;
  private final Problems problems;

  OpenPaiV2Role(
      OpenPaiV2Prerequisites prerequisites,
      OpenPaiV2Commands commands,
      String deviceType,
      Problems problems) {
    this.prerequisites = prerequisites;
    this.commands = commands;
    this.deviceType = deviceType;
    this.problems = problems;
  }

  /** Returns the role of that name; empty if it is not an object. */
  Optional<RoleSpec> read(Fields roles, String name) {
    if (!NameRules.isWord(name, NameRules.MAX_ROLE_LENGTH)) {
      roles.report(name, Message.of("jobfile.role-name-v2", "found", Excerpt.quoted(name)));
    }
    return roles.fields(name).map(fields -> read(name, fields));
  }

  private RoleSpec read(String name, Fields fields) {
    OptionalInt instanceCount = fields.number("instances", 1, 1);
    int instances = instanceCount.orElse(1);
    OpenPaiV2.checkProtocolVersion(fields);
    RolePrerequisites rolePrerequisites = readPrerequisites(fields);
    Optional<Fields> completion = fields.fields("completion");
    Optional<Fields> options = fields.fields("extraContainerOptions");
    int taskRetryCount = fields.anyNumber("taskRetryCount", 0).orElse(0);
    fields.require("resourcePerInstance");
    Optional<Fields> resourceFields = fields.fields("resourcePerInstance");
    RoleSpec role =
        new RoleSpec(
            name,
            instances,
            resourceFields
                .map(optionFields -> readResources(optionFields, options))
                .orElseGet(OpenPaiV2Role::defaultResources),
            resourceFields.map(this::readPorts).orElse(List.of()),
            commands.read(fields, name, rolePrerequisites),
            readLimit(completion, "minFailedInstances", 1, instanceCount),
            readLimit(completion, "minSucceededInstances", instances, instanceCount),
            prerequisites
                .find(Prerequisite.IMAGE, rolePrerequisites.image())
                .map(Prerequisite::uri)
                .orElse(""),
            taskRetryCount,
            options.map(OpenPaiV2Role::isInfinibandRequested).orElse(false),
            rolePrerequisites,
            options.flatMap(optionFields -> optionFields.find("shmMB")).isEmpty(),
            true);
    completion.ifPresent(Fields::rejectUnknown);
    resourceFields.ifPresent(Fields::rejectUnknown);
    fields.rejectUnknown();
    return role;
  }

  private RolePrerequisites readPrerequisites(Fields fields) {
    String image = fields.requiredText("dockerImage", MAX_SHORT_TEXT).orElse("");
    if (!image.isEmpty()) {
      checkExists(fields, "dockerImage", Prerequisite.IMAGE, image);
    }
    List<String> otherNames =
        fields.find("prerequisites").isPresent() ? readOthers(fields) : List.of();
    return new RolePrerequisites(
        image,
        readOptional(fields, "script"),
        readOptional(fields, "data"),
        readOptional(fields, "output"),
        otherNames);
  }

  private String readOptional(Fields fields, String type) {
    if (fields.find(type).isEmpty()) {
      return "";
    }
    Optional<String> name = fields.text(type, MAX_SHORT_TEXT);
    name.ifPresent(optionFields -> checkExists(fields, type, type, optionFields));
    return name.orElse("");
  }

  private void checkExists(Fields fields, String field, String type, String name) {
    if (!prerequisites.mayExist(type, name)) {
      Message message = Message.of("jobfile.no-prerequisite", "name", Excerpt.quoted(name));
      fields.report(field, message.with("type", type));
    }
  }

  private List<String> readOthers(Fields fields) {
    List<String> names = fields.texts("prerequisites");
    for (String name : names) {
      if (!prerequisites.mayExist(name)) {
        String shownName = Excerpt.quoted(name);
        fields.report(
            "prerequisites", Message.of("jobfile.no-prerequisite-any", "name", shownName));
      }
    }
    return names;
  }

  /**
   * Reads a limit of the completion rules. If it is absent, null or 0, the default applies; a
   * negative number disables the rule.
   */
  private static int readLimit(
      Optional<Fields> completion, String name, int defaultValue, OptionalInt instances) {
    OptionalInt limit =
        completion.map(fields -> fields.anyNumberOrNull(name)).orElse(OptionalInt.of(0));
    int value = limit.orElse(0) == 0 ? defaultValue : limit.orElse(0);
    if (instances.isPresent() && value > instances.getAsInt()) {
      Message problem = Message.of("jobfile.count-never", "found", value);
      problem = problem.with("tasks", instances.getAsInt());
      completion.orElseThrow().warn(name, problem);
    }
    return Math.max(value, 0);
  }

  private TaskResources readResources(Fields fields, Optional<Fields> options) {
    int cpus = readRequired(fields, "cpu", 1);
    int memory = readRequired(fields, "memoryMB", MIN_MEMORY);
    int devices = readRequired(fields, "gpu", 0);
    int sharedMemory =
        options
            .map(optionFields -> optionFields.number("shmMB", 1, DEFAULT_SHARED_MEMORY))
            .orElse(OptionalInt.of(DEFAULT_SHARED_MEMORY))
            .orElse(DEFAULT_SHARED_MEMORY);
    return new TaskResources(
        cpus,
        DataSize.ofMegabytes(memory),
        DataSize.ofMegabytes(sharedMemory),
        devices,
        devices > 0 ? deviceType : "");
  }

  /**
   * Reads a required number. A value below the minimum is raised to the minimum with a warning,
   * because OpenPAI accepts any number.
   */
  private static int readRequired(Fields fields, String name, int min) {
    fields.require(name);
    OptionalInt number = fields.number(name, 0, min);
    if (number.isPresent() && number.getAsInt() < min) {
      Message warning = Message.of("jobfile.raised", "found", number.getAsInt());
      fields.warn(name, warning.with("least", min));
    }
    return Math.max(number.orElse(min), min);
  }

  private static TaskResources defaultResources() {
    return new TaskResources(1, DataSize.ofMegabytes(1), DataSize.ofMegabytes(1), 0, "");
  }

  private List<PortRequest> readPorts(Fields resourceFields) {
    Optional<DocumentValue.Table> table = resourceFields.table("ports");
    if (table.isEmpty()) {
      return List.of();
    }
    if (table.get().fields().isEmpty()) {
      resourceFields.report("ports", Message.of("jobfile.ports-empty"));
    }
    Fields fields = new Fields(table.get(), resourceFields.path("ports"), problems);
    List<PortRequest> ports = new ArrayList<>();
    for (String label : table.get().fields().keySet()) {
      if (!NameRules.isWord(label, MAX_LABEL_LENGTH)) {
        fields.report(label, Message.of("jobfile.port-label-v2", "found", Excerpt.quoted(label)));
        continue;
      }
      int count = fields.number(label, 0, MAX_PORTS, 1).orElse(0);
      if (count > 0) {
        ports.add(new PortRequest(label, 0, count));
      }
    }
    return ports;
  }

  /**
   * Returns whether the role requests InfiniBand, which is the case if the value is truthy in
   * JavaScript.
   */
  private static boolean isInfinibandRequested(Fields options) {
    Optional<DocumentValue> value = options.find("infiniband");
    boolean isRequested =
        value.isPresent()
            && switch (value.get()) {
              case DocumentValue.Bool bool -> bool.value();
              case DocumentValue.Text text -> !text.value().isEmpty();
              case DocumentValue.Numeral numeral -> !numeral.digits().equals("0");
              case DocumentValue.Null _ -> false;
              case DocumentValue.Items _, DocumentValue.Table _ -> true;
            };
    if (isRequested) {
      options.warn("infiniband", Message.of("jobfile.later", "name", "infiniband"));
    }
    options.warnUnknown();
    return isRequested;
  }
}
