package dev.trainyard.jobfile;

import dev.trainyard.model.Message;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads {@code deployments}: commands that run before and after those of a role. Only the default
 * deployment is used.
 */
final class OpenPaiV2Deployments {
  private static final int MAX_SHORT_TEXT = 1024;

  /** Commands that a deployment adds to a role. */
  record Around(List<String> before, List<String> after) {
    static final Around NOTHING = new Around(List.of(), List.of());
  }

  private final Set<String> roles;
  private final Map<String, Map<String, Around>> byName = new HashMap<>();
  private String chosen = "";

  private OpenPaiV2Deployments(Set<String> roles) {
    this.roles = roles;
  }

  /**
   * @param roles names of the job's roles
   */
  static OpenPaiV2Deployments read(
      Fields document, Optional<Fields> defaults, Set<String> roles, Problems problems) {
    OpenPaiV2Deployments all = new OpenPaiV2Deployments(roles);
    Optional<Located> value = document.find("deployments");
    if (value.isPresent()) {
      if (value.get() instanceof Located.Items items && items.values().isEmpty()) {
        document.tell("deployments", Message.of("jobfile.list-empty"));
      }
      Fields.tables(document.path("deployments"), value.get(), problems)
          .forEach(fields -> all.readOne(fields, problems));
    }
    defaults.ifPresent(all::choose);
    return all;
  }

  /** Returns the commands that the default deployment runs around those of a role. */
  Around around(String role) {
    return byName.getOrDefault(chosen, Map.of()).getOrDefault(role, Around.NOTHING);
  }

  private void readOne(Fields fields, Problems problems) {
    Optional<String> name = fields.requiredText("name", MAX_SHORT_TEXT);
    OpenPaiV2.protocolVersion(fields);
    Map<String, Around> byRole = new HashMap<>();
    fields.require("taskRoles");
    Optional<Located.Table> table = fields.table("taskRoles");
    if (table.isPresent()) {
      Fields all = new Fields(table.get(), fields.path("taskRoles"), problems);
      if (table.get().fields().isEmpty()) {
        fields.tell("taskRoles", Message.of("jobfile.roles-none"));
      }
      for (String role : table.get().fields().keySet()) {
        all.fields(role).ifPresent(found -> byRole.put(role, around(found)));
        if (!roles.contains(role)) {
          all.warn(role, Message.of("jobfile.deployment-role", "name", Excerpt.quoted(role)));
        }
      }
    }
    if (name.isPresent() && byName.putIfAbsent(name.get(), byRole) != null) {
      fields.tell(
          "name", Message.of("jobfile.deployment-taken", "name", Excerpt.quoted(name.get())));
    }
  }

  private static Around around(Fields fields) {
    OpenPaiV2.protocolVersion(fields);
    Around around = new Around(fields.texts("preCommands"), fields.texts("postCommands"));
    fields.rejectUnknown();
    return around;
  }

  private void choose(Fields defaults) {
    String name = "deployment";
    if (defaults.find(name).isEmpty()) {
      return;
    }
    Optional<String> wanted = defaults.text(name, MAX_SHORT_TEXT);
    if (wanted.isPresent() && !byName.containsKey(wanted.get())) {
      String found = Excerpt.quoted(wanted.get());
      defaults.tell(name, Message.of("jobfile.no-deployment", "name", found));
    }
    chosen = wanted.orElse("");
  }
}
