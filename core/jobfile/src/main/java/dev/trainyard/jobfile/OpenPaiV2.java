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
  public boolean recognises(Located.Table document) {
    return document.fields().containsKey("protocolVersion")
        || (!document.fields().containsKey("jobName")
            && document.fields().get("taskRoles") instanceof Located.Table);
  }

  @Override
  public JobSpec read(Located.Table document, Problems problems) {
    Fields fields = new Fields(document, "", problems);
    fields.require("protocolVersion");
    protocolVersion(fields);
    type(fields);
    version(fields);
    fields.text("contributor", JobFiles.MAX_LENGTH);
    fields.text("description", JobFiles.MAX_LENGTH);
    String name = name(fields);
    OpenPaiV2Prerequisites prerequisites = OpenPaiV2Prerequisites.read(fields, problems);
    Map<String, Object> parameters =
        fields.fields("parameters").map(Fields::plain).orElse(Map.of());
    Secrets secrets = secrets(fields);
    Optional<Fields> defaults = fields.fields("defaults");
    OpenPaiV2Deployments deployments =
        OpenPaiV2Deployments.read(fields, defaults, roleNames(document), problems);
    String virtualCluster = defaults.map(OpenPaiV1::virtualCluster).orElse("default");
    Optional<Fields> extras = fields.fields("extras");
    Extras.Own own = Extras.read(extras);
    OpenPaiV2Commands commands =
        new OpenPaiV2Commands(prerequisites, deployments, parameters, secrets);
    OpenPaiV2Role reader = new OpenPaiV2Role(prerequisites, commands, own.deviceType(), problems);
    List<RoleSpec> roles = roles(fields, reader, problems);
    OpenPaiV2Plugins plugins = new OpenPaiV2Plugins(roles, prerequisites, commands, problems);
    JobSpec spec =
        new JobSpec(
            JobFormat.OPENPAI_V2,
            name,
            roles.isEmpty() ? "" : roles.getFirst().image(),
            virtualCluster,
            fields.number("jobRetryCount", 0, 0).orElse(0),
            "",
            "",
            "",
            "",
            Map.of(),
            0,
            own.stopGrace(),
            roles,
            prerequisites.list(),
            parameters,
            extras
                .map(found -> new OpenPaiV2Extras(found, plugins, problems).read())
                .orElseGet(() -> JobExtras.NONE.withPlugins(plugins.ofPrerequisites())));
    fields.rejectUnknown();
    return own.applyTo(spec);
  }

  private static Set<String> roleNames(Located.Table document) {
    return document.fields().get("taskRoles") instanceof Located.Table roles
        ? roles.fields().keySet()
        : Set.of();
  }

  /** Allowed in many places; must be 2 everywhere. */
  static void protocolVersion(Fields fields) {
    Optional<Located> value = fields.find("protocolVersion");
    if (value.isEmpty()) {
      return;
    }
    boolean two =
        switch (value.get()) {
          case Located.Text text -> text.value().equals("2");
          case Located.Numeral numeral -> numeral.digits().equals("2");
          case Located.Truth _, Located.Nothing _, Located.Items _, Located.Table _ -> false;
        };
    if (!two) {
      String found = Excerpt.of(value.get());
      fields.tell("protocolVersion", Message.of("jobfile.protocol-version", "found", found));
    }
  }

  /** Reads the version of the user's file, for example 1.5 or "1.0-beta". */
  static void version(Fields fields) {
    Optional<Located> value = fields.find("version");
    if (value.isPresent() && !(value.get() instanceof Located.Numeral)) {
      fields.text("version", MAX_SHORT_TEXT);
    }
  }

  private static void type(Fields fields) {
    Optional<String> type = fields.requiredText("type", MAX_SHORT_TEXT);
    if (type.isPresent() && !type.get().equals("job")) {
      fields.tell("type", Message.of("jobfile.type", "found", Excerpt.quoted(type.get())));
    }
  }

  private static String name(Fields fields) {
    Optional<String> name = fields.requiredText("name", JobFiles.MAX_LENGTH);
    if (name.isPresent() && !NAME.matcher(name.get()).matches()) {
      String found = Excerpt.quoted(name.get());
      fields.tell("name", Message.of("jobfile.job-name-v2", "found", found));
    }
    return name.orElse("");
  }

  /** Reads the secrets; their values are never quoted in a message. */
  private static Secrets secrets(Fields fields) {
    Optional<Located> value = fields.find(Document.SECRETS);
    if (value.isEmpty()) {
      return Secrets.NONE;
    }
    if (!(value.get() instanceof Located.Table table)) {
      fields.tell(Document.SECRETS, Message.of("jobfile.secrets-object"));
      return Secrets.NONE;
    }
    Secrets secrets = new Secrets(PlainValues.map(table));
    if (secrets.length() > Secrets.MOST) {
      Message tooLong = Message.of("jobfile.secrets-long", "length", secrets.length());
      fields.tell(Document.SECRETS, tooLong.with("limit", Secrets.MOST));
    }
    return secrets;
  }

  private static List<RoleSpec> roles(Fields document, OpenPaiV2Role reader, Problems problems) {
    String name = "taskRoles";
    if (document.require(name).isEmpty()) {
      return List.of();
    }
    Optional<Located.Table> table = document.table(name);
    if (table.isEmpty()) {
      return List.of();
    }
    Map<String, Located> written = table.get().fields();
    if (written.isEmpty()) {
      document.tell(name, Message.of("jobfile.roles-none"));
    }
    if (written.size() > OpenPaiV1.MAX_TASKS) {
      OpenPaiV1.tooManyTasks(written.size(), table.get(), problems);
      return List.of();
    }
    Fields fields = new Fields(table.get(), document.path(name), problems);
    List<RoleSpec> roles = new ArrayList<>();
    written.keySet().forEach(role -> reader.read(fields, role).ifPresent(roles::add));
    long tasks = roles.stream().mapToLong(RoleSpec::taskCount).sum();
    if (tasks > OpenPaiV1.MAX_TASKS) {
      OpenPaiV1.tooManyTasks(tasks, table.get(), problems);
    }
    return roles;
  }
}
