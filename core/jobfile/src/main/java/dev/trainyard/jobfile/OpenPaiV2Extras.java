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
    boolean gang = gangAllocation();
    UNSUPPORTED_RIGHTS.forEach(this::warnOfUnsupportedRight);
    Optional<Fields> hived = table("hivedScheduler");
    List<RuntimePlugin> allPlugins = plugins(gang);
    OpenPaiV2Storages storages = OpenPaiV2Storages.read(extras, allPlugins, problems);
    return new JobExtras(
        extras.find("submitFrom").flatMap(OpenPaiV2Extras::text).orElse(""),
        gang,
        storages.defaults(),
        storages.mounts(),
        hived.map(this::priority).orElse(""),
        hived.map(Fields::plain).orElse(Map.of()),
        notifications(),
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

  private static Optional<String> text(DocumentValue value) {
    return value instanceof DocumentValue.Text text ? Optional.of(text.value()) : Optional.empty();
  }

  private Optional<Fields> table(String name) {
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

  private boolean gangAllocation() {
    String name = "gangAllocation";
    Optional<DocumentValue> value = extras.find(name);
    if (value.isPresent() && !(value.get() instanceof DocumentValue.Bool)) {
      warnOfForm(extras, name);
    }
    return !(value.isPresent() && value.get() instanceof DocumentValue.Bool t && !t.value());
  }

  static Optional<String> field(DocumentValue item, String name) {
    return item instanceof DocumentValue.Table table
            && table.fields().get(name) instanceof DocumentValue.Text t
        ? Optional.of(t.value()).filter(text -> !text.isBlank())
        : Optional.empty();
  }

  private String priority(Fields hived) {
    String name = "jobPriorityClass";
    warnUnsupported(extras, "hivedScheduler");
    hived.find("taskRoles").ifPresent(roles -> checkCells(hived.path("taskRoles"), roles));
    Optional<DocumentValue> value =
        hived.find(name).filter(candidate -> !(candidate instanceof DocumentValue.Null));
    if (value.isEmpty()) {
      return "";
    }
    String priority = text(value.get()).orElse("");
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
              if (field(cellRequest, "skuType").isPresent()
                  && field(cellRequest, "pinnedCellId").isPresent()) {
                String cellPath = Paths.field(Paths.field(path, role), "pinnedCellId");
                problems.add(cellPath, cellRequest, Message.of("jobfile.cell-and-type"));
              }
            });
  }

  private List<String> notifications() {
    String name = "jobStatusChangeNotification";
    List<String> requestedChanges = new ArrayList<>();
    Optional<Fields> fields = table(name);
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

  private List<RuntimePlugin> plugins(boolean gang) {
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
