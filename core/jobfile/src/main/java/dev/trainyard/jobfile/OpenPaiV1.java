package dev.trainyard.jobfile;

import dev.trainyard.model.ImageReference;
import dev.trainyard.model.JobFormat;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import dev.trainyard.model.RoleSpec;
import dev.trainyard.model.TaskPath;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The JSON job file of OpenPAI up to 1.0 and of LeinaoPAI. */
final class OpenPaiV1 implements JobFileFormat {
  static final int MAX_TASKS = 10_000;

  /** Time for which OpenPAI keeps a failed container of a debug job: seven days. */
  static final int KEEP_FAILED_SECONDS = 604_800;

  private static final int MAX_SHORT_TEXT = 1024;
  private static final int MAX_PATH_LENGTH = 4096;
  private static final Pattern REMOTE = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]{0,30}://.*");

  /** LeinaoPAI's name for its pool of nodes that are reachable from outside. */
  private static final String DEBUG_POOL = "debug";

  @Override
  public JobFormat format() {
    return JobFormat.OPENPAI_V1;
  }

  @Override
  public boolean recognizes(DocumentValue.Table document) {
    return !document.fields().containsKey("protocolVersion");
  }

  @Override
  public JobSpec read(DocumentValue.Table document, Problems problems) {
    Fields fields = new Fields(QuotedNumbers.convert(document), "", problems);
    OpenPaiV1Environment environment = OpenPaiV1Environment.read(fields, problems);
    String deviceType = readDeviceType(fields, problems);
    Extras.TrainyardFields trainyardFields = Extras.read(fields.fields("extras"));
    JobSpec spec =
        new JobSpec(
            JobFormat.OPENPAI_V1,
            readName(fields, problems),
            readImage(fields, problems),
            readVirtualCluster(fields),
            fields.number("retryCount", -2, 0).orElse(0),
            readDirectory(fields, "dataDir", problems),
            readOutputDirectory(fields, problems),
            readUnsupported(fields, "codeDir", problems),
            readAuthFile(fields),
            environment.variables(),
            environment.isDebug() ? KEEP_FAILED_SECONDS : 0,
            trainyardFields.stopGrace(),
            readRoles(fields, deviceType, problems));
    warnObsolete(fields, problems);
    fields.rejectUnknown();
    return trainyardFields.applyTo(spec);
  }

  private static String readName(Fields fields, Problems problems) {
    return readChecked(fields, "jobName", NameRules::isName, "jobfile.job-name", problems);
  }

  private static String readImage(Fields fields, Problems problems) {
    String name = "image";
    String image = readChecked(fields, name, NameRules::isImage, "jobfile.image", problems);
    if (NameRules.isImage(image) && ImageReference.parse(image).isEmpty()) {
      fields.warn(name, Message.of(JobFiles.IMAGE_NAME, "found", Excerpt.quoted(image)));
    }
    return image;
  }

  /** Returns a required text that must satisfy a rule. */
  private static String readChecked(
      Fields fields, String name, Predicate<String> rule, String code, Problems problems) {
    String text = fields.requiredText(name, MAX_SHORT_TEXT).orElse(null);
    if (text == null) {
      return "";
    }
    if (!rule.test(text)) {
      DocumentValue value = fields.find(name).orElseThrow();
      problems.add(fields.path(name), value, Message.of(code, "found", Excerpt.of(value)));
    }
    return text;
  }

  static String readVirtualCluster(Fields fields) {
    String name = "virtualCluster";
    String text = fields.text(name, MAX_SHORT_TEXT).orElse("");
    if (text.isEmpty() || text.equals("default")) {
      return "default";
    }
    if (!NameRules.isName(text)) {
      fields.report(name, Message.of("jobfile.virtual-cluster", "found", Excerpt.quoted(text)));
    }
    return text;
  }

  private static String readDeviceType(Fields fields, Problems problems) {
    String name = "gpuType";
    String type = fields.text(name, MAX_SHORT_TEXT).orElse("").strip();
    if (type.equalsIgnoreCase(DEBUG_POOL)) {
      problems.warn(name, fields.find(name).orElseThrow(), Message.of("jobfile.debug-pool"));
      return "";
    }
    if (!NameRules.isDeviceType(type)) {
      problems.add(
          name,
          fields.find(name).orElseThrow(),
          Message.of("jobfile.device-type", "found", Excerpt.quoted(type)));
    }
    return type;
  }

  private static String readDirectory(Fields fields, String name, Problems problems) {
    String directory = fields.line(name, MAX_PATH_LENGTH).orElse("");
    if (REMOTE.matcher(directory).matches()) {
      DocumentValue value = fields.find(name).orElseThrow();
      problems.warn(
          name, value, Message.of("jobfile.remote-directory", "found", Excerpt.of(value)));
    } else if (DirectoryVariables.usesDefaultFileSystem(directory)) {
      problems.warn(
          name, fields.find(name).orElseThrow(), Message.of("jobfile.no-default-file-system"));
    }
    return directory;
  }

  private static String readOutputDirectory(Fields fields, Problems problems) {
    String name = "outputDir";
    String directory = readDirectory(fields, name, problems);
    String path = DirectoryVariables.substitute(directory, "job", "user");
    if (path.startsWith("/") && !TaskPath.isSaved(path)) {
      fields.warn(
          name, Message.of("jobfile.output-dir-not-saved", "found", Excerpt.quoted(directory)));
    }
    return directory;
  }

  private static String readAuthFile(Fields fields) {
    String name = "authFile";
    String text = fields.line(name, MAX_PATH_LENGTH).orElse("");
    if (REMOTE.matcher(text).matches()) {
      fields.warn(name, Message.of("jobfile.remote-auth-file", "found", Excerpt.quoted(text)));
    }
    return text;
  }

  private static String readUnsupported(Fields fields, String name, Problems problems) {
    String text = fields.line(name, MAX_PATH_LENGTH).orElse("");
    if (!text.isEmpty()) {
      warnUnsupported(fields, name, problems);
    }
    return text;
  }

  private static void warnUnsupported(Fields fields, String name, Problems problems) {
    DocumentValue value = fields.find(name).orElseThrow();
    problems.warn(fields.path(name), value, Message.of("jobfile.later", "name", name));
  }

  private static void warnObsolete(Fields fields, Problems problems) {
    String name = "killAllOnCompletedTaskNumber";
    Optional<DocumentValue> value = fields.find(name);
    if (value.isPresent() && fields.anyNumber(name, 0).isPresent()) {
      problems.warn(name, value.get(), Message.of("jobfile.kill-all"));
    }
  }

  private static List<RoleSpec> readRoles(Fields fields, String deviceType, Problems problems) {
    String name = "taskRoles";
    Optional<DocumentValue> value = fields.require(name);
    if (value.isEmpty()) {
      return List.of();
    }
    if (value.get() instanceof DocumentValue.Items items && items.values().isEmpty()) {
      problems.add(name, items, Message.of("jobfile.roles-empty"));
    }
    if (value.get() instanceof DocumentValue.Items items && items.values().size() > MAX_TASKS) {
      reportTooManyTasks(items.values().size(), items, problems); // the roles are not read
      return List.of();
    }
    OpenPaiV1Role reader = new OpenPaiV1Role(deviceType, problems);
    List<RoleSpec> roles =
        Fields.readObjects(name, value.get(), problems).stream().map(reader::read).toList();
    long tasks = roles.stream().mapToLong(RoleSpec::taskCount).sum();
    if (tasks > MAX_TASKS) {
      reportTooManyTasks(tasks, value.get(), problems);
    }
    return roles;
  }

  static void reportTooManyTasks(long tasks, DocumentValue roles, Problems problems) {
    Message message = Message.of("jobfile.too-many-tasks", "tasks", tasks);
    problems.add("taskRoles", roles, message.with("limit", MAX_TASKS));
  }
}
