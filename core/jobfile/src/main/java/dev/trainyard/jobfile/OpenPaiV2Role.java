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
  private static final int LEAST_MEMORY = 100;
  private static final int MAX_SHORT_TEXT = 1024;
  private static final int MAX_PORTS = 65_535;
  private static final int MAX_LABEL = 64;

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
      roles.tell(name, Message.of("jobfile.role-name-v2", "found", Excerpt.quoted(name)));
    }
    return roles.fields(name).map(fields -> read(name, fields));
  }

  private RoleSpec read(String name, Fields fields) {
    OptionalInt written = fields.number("instances", 1, 1);
    int instances = written.orElse(1);
    OpenPaiV2.protocolVersion(fields);
    RolePrerequisites chosen = chosen(fields);
    Optional<Fields> completion = fields.fields("completion");
    Optional<Fields> options = fields.fields("extraContainerOptions");
    int taskRetryCount = fields.anyNumber("taskRetryCount", 0).orElse(0);
    fields.require("resourcePerInstance");
    Optional<Fields> needs = fields.fields("resourcePerInstance");
    RoleSpec role =
        new RoleSpec(
            name,
            instances,
            needs.map(found -> resources(found, options)).orElseGet(OpenPaiV2Role::none),
            needs.map(this::ports).orElse(List.of()),
            commands.read(fields, name, chosen),
            limit(completion, "minFailedInstances", 1, written),
            limit(completion, "minSucceededInstances", instances, written),
            prerequisites
                .find(Prerequisite.IMAGE, chosen.image())
                .map(Prerequisite::uri)
                .orElse(""),
            taskRetryCount,
            options.map(OpenPaiV2Role::infiniband).orElse(false),
            chosen,
            options.flatMap(found -> found.find("shmMB")).isEmpty());
    completion.ifPresent(Fields::rejectUnknown);
    needs.ifPresent(Fields::rejectUnknown);
    fields.rejectUnknown();
    return role;
  }

  private RolePrerequisites chosen(Fields fields) {
    String image = fields.requiredText("dockerImage", MAX_SHORT_TEXT).orElse("");
    if (!image.isEmpty()) {
      exists(fields, "dockerImage", Prerequisite.IMAGE, image);
    }
    List<String> others = fields.find("prerequisites").isPresent() ? others(fields) : List.of();
    return new RolePrerequisites(
        image,
        optional(fields, "script"),
        optional(fields, "data"),
        optional(fields, "output"),
        others);
  }

  private String optional(Fields fields, String type) {
    if (fields.find(type).isEmpty()) {
      return "";
    }
    Optional<String> name = fields.text(type, MAX_SHORT_TEXT);
    name.ifPresent(found -> exists(fields, type, type, found));
    return name.orElse("");
  }

  private void exists(Fields fields, String field, String type, String name) {
    if (!prerequisites.mayBe(type, name)) {
      Message missing = Message.of("jobfile.no-prerequisite", "name", Excerpt.quoted(name));
      fields.tell(field, missing.with("type", type));
    }
  }

  private List<String> others(Fields fields) {
    List<String> names = fields.texts("prerequisites");
    for (String name : names) {
      if (!prerequisites.mayBe(name)) {
        String found = Excerpt.quoted(name);
        fields.tell("prerequisites", Message.of("jobfile.no-prerequisite-any", "name", found));
      }
    }
    return names;
  }

  /** Absent, null and 0 mean the default; a negative number disables the rule. */
  private static int limit(
      Optional<Fields> completion, String name, int absent, OptionalInt instances) {
    OptionalInt limit =
        completion.map(fields -> fields.anyNumberOrNull(name)).orElse(OptionalInt.of(0));
    int value = limit.orElse(0) == 0 ? absent : limit.orElse(0);
    if (instances.isPresent() && value > instances.getAsInt()) {
      Message above = Message.of("jobfile.count-never", "found", value);
      above = above.with("tasks", instances.getAsInt());
      completion.orElseThrow().warn(name, above);
    }
    return Math.max(value, 0);
  }

  private TaskResources resources(Fields fields, Optional<Fields> options) {
    int cpus = required(fields, "cpu", 1);
    int memory = required(fields, "memoryMB", LEAST_MEMORY);
    int devices = required(fields, "gpu", 0);
    int shared =
        options
            .map(found -> found.number("shmMB", 1, DEFAULT_SHARED_MEMORY))
            .orElse(OptionalInt.of(DEFAULT_SHARED_MEMORY))
            .orElse(DEFAULT_SHARED_MEMORY);
    return new TaskResources(
        cpus,
        DataSize.ofMegabytes(memory),
        DataSize.ofMegabytes(shared),
        devices,
        devices > 0 ? deviceType : "");
  }

  /** OpenPAI accepts any number; a value below the minimum is rounded up with a warning. */
  private static int required(Fields fields, String name, int least) {
    fields.require(name);
    OptionalInt number = fields.number(name, 0, least);
    if (number.isPresent() && number.getAsInt() < least) {
      Message raised = Message.of("jobfile.raised", "found", number.getAsInt());
      fields.warn(name, raised.with("least", least));
    }
    return Math.max(number.orElse(least), least);
  }

  private static TaskResources none() {
    return new TaskResources(1, DataSize.ofMegabytes(1), DataSize.ofMegabytes(1), 0, "");
  }

  private List<PortRequest> ports(Fields needs) {
    Optional<Located.Table> table = needs.table("ports");
    if (table.isEmpty()) {
      return List.of();
    }
    if (table.get().fields().isEmpty()) {
      needs.tell("ports", Message.of("jobfile.ports-empty"));
    }
    Fields fields = new Fields(table.get(), needs.path("ports"), problems);
    List<PortRequest> ports = new ArrayList<>();
    for (String label : table.get().fields().keySet()) {
      if (!NameRules.isWord(label, MAX_LABEL)) {
        fields.tell(label, Message.of("jobfile.port-label-v2", "found", Excerpt.quoted(label)));
        continue;
      }
      int count = fields.number(label, 0, MAX_PORTS, 1).orElse(0);
      if (count > 0) {
        ports.add(new PortRequest(label, 0, count));
      }
    }
    return ports;
  }

  /** Returns whether the value is truthy in JavaScript. */
  private static boolean infiniband(Fields options) {
    Optional<Located> value = options.find("infiniband");
    boolean wanted =
        value.isPresent()
            && switch (value.get()) {
              case Located.Truth truth -> truth.value();
              case Located.Text text -> !text.value().isEmpty();
              case Located.Numeral numeral -> !numeral.digits().equals("0");
              case Located.Nothing _ -> false;
              case Located.Items _, Located.Table _ -> true;
            };
    if (wanted) {
      options.warn("infiniband", Message.of("jobfile.later", "name", "infiniband"));
    }
    options.warnUnknown();
    return wanted;
  }
}
