package dev.trainyard.jobfile;

import dev.trainyard.model.JobExtras;
import dev.trainyard.model.JobFormat;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import dev.trainyard.model.RoleSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** OpenPAI's YAML job file, protocol version 2. */
final class OpenPaiV2 implements JobFileFormat {
  private static final int MAX_SHORT_TEXT = 1024;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,255}");

  @Override
  public JobFormat format() {
    return JobFormat.OPENPAI_V2;
  }

  @Override
  public boolean recognizes(DocumentValue.Table document) {
    return document.fields().containsKey("protocolVersion")
        || (!document.fields().containsKey("jobName")
            && document.fields().get("taskRoles") instanceof DocumentValue.Table);
  }

  @Override
  public JobSpec read(DocumentValue.Table document, Problems problems) {
    Fields fields = new Fields(document, "", problems);
    fields.require("protocolVersion");
    checkProtocolVersion(fields);
    checkType(fields);
    checkVersion(fields);
    fields.text("contributor", JobFiles.MAX_LENGTH);
    fields.text("description", JobFiles.MAX_LENGTH);
    String name = readName(fields);
    OpenPaiV2Prerequisites prerequisites = OpenPaiV2Prerequisites.read(fields, problems);
    Map<String, Object> parameters =
        fields.fields("parameters").map(Fields::plain).orElse(Map.of());
    Secrets secrets = readSecrets(fields);
    Optional<Fields> defaults = fields.fields("defaults");
    OpenPaiV2Deployments deployments =
        OpenPaiV2Deployments.read(fields, defaults, roleNames(document), problems);
    String virtualCluster = defaults.map(OpenPaiV1::readVirtualCluster).orElse("default");
    Optional<Fields> extras = fields.fields("extras");
    Extras.TrainyardFields trainyardFields = Extras.read(extras);
    OpenPaiV2Commands commands =
        new OpenPaiV2Commands(prerequisites, deployments, parameters, secrets);
    OpenPaiV2Role reader =
        new OpenPaiV2Role(prerequisites, commands, trainyardFields.deviceType(), problems);
    List<RoleSpec> roles = readRoles(fields, reader, problems);
    OpenPaiV2Plugins plugins = new OpenPaiV2Plugins(roles, prerequisites, commands, problems);
    JobExtras jobExtras =
        extras
            .map(extrasFields -> new OpenPaiV2Extras(extrasFields, plugins, problems).read())
            .orElseGet(() -> JobExtras.NONE.withPlugins(plugins.ofPrerequisites()));
    JobSpec spec =
        new JobSpec(
            JobFormat.OPENPAI_V2,
            name,
            roles.isEmpty() ? "" : roles.getFirst().image(),
            virtualCluster,
            fields.number("jobRetryCount", 0, 0).orElse(0),
            "",
            new OpenPaiV2Output(jobExtras).choose(prerequisites, roles),
            "",
            "",
            Map.of(),
            0,
            trainyardFields.stopGrace(),
            roles,
            prerequisites.list(),
            parameters,
            jobExtras);
    fields.rejectUnknown();
    return trainyardFields.applyTo(spec);
  }

  private static Set<String> roleNames(DocumentValue.Table document) {
    return document.fields().get("taskRoles") instanceof DocumentValue.Table roles
        ? roles.fields().keySet()
        : Set.of();
  }

  /** Checks the field {@code protocolVersion}, which several objects may contain: it must be 2. */
  static void checkProtocolVersion(Fields fields) {
    Optional<DocumentValue> value = fields.find("protocolVersion");
    if (value.isEmpty()) {
      return;
    }
    boolean isVersionTwo =
        switch (value.get()) {
          case DocumentValue.Text text -> text.value().equals("2");
          case DocumentValue.Numeral numeral -> numeral.digits().equals("2");
          case DocumentValue.Bool _,
              DocumentValue.Null _,
              DocumentValue.Items _,
              DocumentValue.Table _ ->
              false;
        };
    if (!isVersionTwo) {
      String shownValue = Excerpt.of(value.get());
      fields.report("protocolVersion", Message.of("jobfile.protocol-version", "found", shownValue));
    }
  }

  /** Checks the version of the user's file, for example 1.5 or "1.0-beta". */
  static void checkVersion(Fields fields) {
    Optional<DocumentValue> value = fields.find("version");
    if (value.isPresent() && !(value.get() instanceof DocumentValue.Numeral)) {
      fields.text("version", MAX_SHORT_TEXT);
    }
  }

  private static void checkType(Fields fields) {
    Optional<String> type = fields.requiredText("type", MAX_SHORT_TEXT);
    if (type.isPresent() && !type.get().equals("job")) {
      fields.report("type", Message.of("jobfile.type", "found", Excerpt.quoted(type.get())));
    }
  }

  private static String readName(Fields fields) {
    Optional<String> name = fields.requiredText("name", JobFiles.MAX_LENGTH);
    if (name.isPresent() && !NAME.matcher(name.get()).matches()) {
      String shownValue = Excerpt.quoted(name.get());
      fields.report("name", Message.of("jobfile.job-name-v2", "found", shownValue));
    }
    return name.orElse("");
  }

  /** Reads the secrets; their values are never quoted in a message. */
  private static Secrets readSecrets(Fields fields) {
    Optional<DocumentValue> value = fields.find(Document.SECRETS);
    if (value.isEmpty()) {
      return Secrets.NONE;
    }
    if (!(value.get() instanceof DocumentValue.Table table)) {
      fields.report(Document.SECRETS, Message.of("jobfile.secrets-object"));
      return Secrets.NONE;
    }
    Secrets secrets = new Secrets(PlainValues.map(table));
    if (secrets.length() > Secrets.MAX_LENGTH) {
      Message message = Message.of("jobfile.secrets-long", "length", secrets.length());
      fields.report(Document.SECRETS, message.with("limit", Secrets.MAX_LENGTH));
    }
    return secrets;
  }

  private static List<RoleSpec> readRoles(
      Fields document, OpenPaiV2Role reader, Problems problems) {
    String name = "taskRoles";
    if (document.require(name).isEmpty()) {
      return List.of();
    }
    Optional<DocumentValue.Table> table = document.table(name);
    if (table.isEmpty()) {
      return List.of();
    }
    Map<String, DocumentValue> rolesByName = table.get().fields();
    if (rolesByName.isEmpty()) {
      document.report(name, Message.of("jobfile.roles-none"));
    }
    if (rolesByName.size() > OpenPaiV1.MAX_TASKS) {
      OpenPaiV1.reportTooManyTasks(rolesByName.size(), table.get(), problems);
      return List.of();
    }
    Fields fields = new Fields(table.get(), document.path(name), problems);
    List<RoleSpec> roles = new ArrayList<>();
    rolesByName.keySet().forEach(role -> reader.read(fields, role).ifPresent(roles::add));
    long tasks = roles.stream().mapToLong(RoleSpec::taskCount).sum();
    if (tasks > OpenPaiV1.MAX_TASKS) {
      OpenPaiV1.reportTooManyTasks(tasks, table.get(), problems);
    }
    return roles;
  }
}
