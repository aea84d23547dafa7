package dev.trainyard.jobfile;

import dev.trainyard.model.Message;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads {@code deployments}: commands that run before and after the commands of a role. Only the
 * default deployment is used.
 */
final class OpenPaiV2Deployments {
  private static final int MAX_SHORT_TEXT = 1024;

  /** Commands that a deployment adds to a role. */
  record DeploymentCommands(List<String> pre, List<String> post) {
    static final DeploymentCommands NONE = new DeploymentCommands(List.of(), List.of());
  }

  private final Set<String> roles;
  private final Map<String, Map<String, DeploymentCommands>> byName = new HashMap<>();
  private String defaultDeployment = "";

  private OpenPaiV2Deployments(Set<String> roles) {
    this.roles = roles;
  }

  /**
   * @param roles names of the job's roles
   */
  static OpenPaiV2Deployments read(
      Fields document, Optional<Fields> defaults, Set<String> roles, Problems problems) {
    OpenPaiV2Deployments deployments = new OpenPaiV2Deployments(roles);
    Optional<DocumentValue> value = document.find("deployments");
    if (value.isPresent()) {
      if (value.get() instanceof DocumentValue.Items items && items.values().isEmpty()) {
        document.report("deployments", Message.of("jobfile.list-empty"));
      }
      Fields.readObjects(document.path("deployments"), value.get(), problems)
          .forEach(fields -> deployments.readDeployment(fields, problems));
    }
    defaults.ifPresent(deployments::setDefault);
    return deployments;
  }

  /**
   * Returns the commands that the default deployment runs before and after the commands of a role.
   */
  DeploymentCommands commandsOf(String role) {
    return byName
        .getOrDefault(defaultDeployment, Map.of())
        .getOrDefault(role, DeploymentCommands.NONE);
  }

  private void readDeployment(Fields fields, Problems problems) {
    Optional<String> name = fields.requiredText("name", MAX_SHORT_TEXT);
    OpenPaiV2.checkProtocolVersion(fields);
    Map<String, DeploymentCommands> byRole = new HashMap<>();
    fields.require("taskRoles");
    Optional<DocumentValue.Table> table = fields.table("taskRoles");
    if (table.isPresent()) {
      Fields roleFields = new Fields(table.get(), fields.path("taskRoles"), problems);
      if (table.get().fields().isEmpty()) {
        fields.report("taskRoles", Message.of("jobfile.roles-none"));
      }
      for (String role : table.get().fields().keySet()) {
        roleFields
            .fields(role)
            .ifPresent(commandFields -> byRole.put(role, commandsOf(commandFields)));
        if (!roles.contains(role)) {
          roleFields.warn(
              role, Message.of("jobfile.deployment-role", "name", Excerpt.quoted(role)));
        }
      }
    }
    if (name.isPresent() && byName.putIfAbsent(name.get(), byRole) != null) {
      fields.report(
          "name", Message.of("jobfile.deployment-taken", "name", Excerpt.quoted(name.get())));
    }
  }

  private static DeploymentCommands commandsOf(Fields fields) {
    OpenPaiV2.checkProtocolVersion(fields);
    DeploymentCommands commands =
        new DeploymentCommands(fields.texts("preCommands"), fields.texts("postCommands"));
    fields.rejectUnknown();
    return commands;
  }

  private void setDefault(Fields defaults) {
    String name = "deployment";
    if (defaults.find(name).isEmpty()) {
      return;
    }
    Optional<String> deploymentName = defaults.text(name, MAX_SHORT_TEXT);
    if (deploymentName.isPresent() && !byName.containsKey(deploymentName.get())) {
      String shownName = Excerpt.quoted(deploymentName.get());
      defaults.report(name, Message.of("jobfile.no-deployment", "name", shownName));
    }
    defaultDeployment = deploymentName.orElse("");
  }
}
