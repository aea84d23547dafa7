package dev.trainyard.jobfile;

import dev.trainyard.model.JobExtras;
import dev.trainyard.model.Message;
import dev.trainyard.model.RuntimePlugin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the parts of {@code extras} that OpenPAI evaluates. OpenPAI accepts any values in {@code
 * extras}, so invalid values are ignored with a warning, except values that OpenPAI itself rejects.
 */
final class OpenPaiV2Extras {
  private static final Set<String> PRIORITIES = Set.of("prod", "test", "oppo");
  private static final List<String> STATE_CHANGES =
      List.of("running", "succeeded", "stopped", "failed", "retried");

  private static final List<String> UNSUPPORTED_RIGHTS = List.of("hostNetwork", "privileged");

  private final Fields extras;
  private final OpenPaiV2Plugins plugins;
  private final Problems problems;

  OpenPaiV2Extras(Fields extras, OpenPaiV2Plugins plugins, Problems problems) {
    this.extras = extras;
    this.plugins = plugins;
    this.problems = problems;
  }

  JobExtras read() {
    boolean gang = readGangAllocation();
    UNSUPPORTED_RIGHTS.forEach(this::warnOfUnsupportedRight);
    Optional<Fields> hived = readTable("hivedScheduler");
    List<RuntimePlugin> allPlugins = readPlugins(gang);
    OpenPaiV2Storages storages = OpenPaiV2Storages.read(extras, allPlugins, problems);
    return new JobExtras(
        extras.find("submitFrom").flatMap(OpenPaiV2Extras::asText).orElse(""),
        gang,
        storages.defaults(),
        storages.mounts(),
        hived.map(this::readPriority).orElse(""),
        hived.map(Fields::plain).orElse(Map.of()),
        readNotifications(),
        allPlugins,
        List.of(),
        false);
  }

  /** Warns about a setting that some OpenPAI clusters accept and this platform ignores. */
  private void warnOfUnsupportedRight(String name) {
    if (extras.find(name).filter(v -> v instanceof DocumentValue.Bool t && t.value()).isPresent()) {
      extras.warn(name, Message.of("jobfile.no-right", "name", name));
    }
  }

  private static Optional<String> asText(DocumentValue value) {
    return value instanceof DocumentValue.Text text ? Optional.of(text.value()) : Optional.empty();
  }

  private Optional<Fields> readTable(String name) {
    Optional<DocumentValue> value = extras.find(name);
    if (value.isPresent() && !(value.get() instanceof DocumentValue.Table)) {
      warnOfForm(extras, name);
      return Optional.empty();
    }
    return extras.fields(name);
  }

  static void warnOfForm(Fields fields, String name) {
    fields.warn(name, Message.of("jobfile.extras-form", "name", Excerpt.of(name)));
  }

  private static void warnUnsupported(Fields fields, String name) {
    fields.warn(name, Message.of("jobfile.later", "name", Excerpt.of(name)));
  }

  private boolean readGangAllocation() {
    String name = "gangAllocation";
    Optional<DocumentValue> value = extras.find(name);
    if (value.isPresent() && !(value.get() instanceof DocumentValue.Bool)) {
      warnOfForm(extras, name);
    }
    return !(value.isPresent() && value.get() instanceof DocumentValue.Bool t && !t.value());
  }

  static Optional<String> textField(DocumentValue item, String name) {
    return item instanceof DocumentValue.Table table
            && table.fields().get(name) instanceof DocumentValue.Text t
        ? Optional.of(t.value()).filter(text -> !text.isBlank())
        : Optional.empty();
  }

  private String readPriority(Fields hived) {
    String name = "jobPriorityClass";
    warnUnsupported(extras, "hivedScheduler");
    hived.find("taskRoles").ifPresent(roles -> checkCells(hived.path("taskRoles"), roles));
    Optional<DocumentValue> value =
        hived.find(name).filter(candidate -> !(candidate instanceof DocumentValue.Null));
    if (value.isEmpty()) {
      return "";
    }
    String priority = asText(value.get()).orElse("");
    if (!PRIORITIES.contains(priority)) {
      hived.report(name, Message.of("jobfile.priority", "found", Excerpt.of(value.get())));
    }
    return priority;
  }

  private void checkCells(String path, DocumentValue roles) {
    if (!(roles instanceof DocumentValue.Table table)) {
      return;
    }
    table
        .fields()
        .forEach(
            (role, cellRequest) -> {
              if (textField(cellRequest, "skuType").isPresent()
                  && textField(cellRequest, "pinnedCellId").isPresent()) {
                String cellPath =
                    DocumentPaths.field(DocumentPaths.field(path, role), "pinnedCellId");
                problems.add(cellPath, cellRequest, Message.of("jobfile.cell-and-type"));
              }
            });
  }

  private List<String> readNotifications() {
    String name = "jobStatusChangeNotification";
    List<String> requestedChanges = new ArrayList<>();
    Optional<Fields> fields = readTable(name);
    if (fields.isPresent()) {
      for (String change : STATE_CHANGES) {
        Optional<DocumentValue> value = fields.get().find(change);
        if (value.isPresent() && value.get() instanceof DocumentValue.Bool t && t.value()) {
          requestedChanges.add(change);
        }
      }
      fields.get().warnUnknown();
    }
    if (!requestedChanges.isEmpty()) {
      warnUnsupported(extras, name);
    }
    return requestedChanges;
  }

  private List<RuntimePlugin> readPlugins(boolean gang) {
    List<RuntimePlugin> allPlugins = new ArrayList<>(plugins.ofPrerequisites());
    Optional<DocumentValue> value = extras.find(OpenPaiV2Plugins.KEY);
    if (value.isPresent()) {
      if (value.get() instanceof DocumentValue.Items items) {
        allPlugins.addAll(plugins.ofExtras(items, extras.path(OpenPaiV2Plugins.KEY), gang));
      } else {
        warnOfForm(extras, OpenPaiV2Plugins.KEY);
      }
    }
    return allPlugins;
  }
}
