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
 * Reads the parts of {@code extras} that OpenPAI evaluates. OpenPAI accepts anything there, so
 * invalid values are ignored with a warning, except those that OpenPAI itself rejects.
 */
final class OpenPaiV2Extras {
  private static final Set<String> PRIORITIES = Set.of("prod", "test", "oppo");
  private static final List<String> CHANGES =
      List.of("running", "succeeded", "stopped", "failed", "retried");

  private static final List<String> RIGHTS = List.of("hostNetwork", "privileged");

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
    RIGHTS.forEach(this::warnOfRight);
    Optional<Fields> hived = table("hivedScheduler");
    List<RuntimePlugin> all = plugins(gang);
    OpenPaiV2Storages storages = OpenPaiV2Storages.read(extras, all, problems);
    return new JobExtras(
        extras.find("submitFrom").flatMap(OpenPaiV2Extras::text).orElse(""),
        gang,
        storages.defaults(),
        storages.mounts(),
        hived.map(this::priority).orElse(""),
        hived.map(Fields::plain).orElse(Map.of()),
        notifications(),
        all,
        List.of(),
        false);
  }

  /** Some clusters accept these settings here; users who rely on them get a warning. */
  private void warnOfRight(String name) {
    if (extras.find(name).filter(v -> v instanceof Located.Truth t && t.value()).isPresent()) {
      extras.warn(name, Message.of("jobfile.no-right", "name", name));
    }
  }

  private static Optional<String> text(Located value) {
    return value instanceof Located.Text text ? Optional.of(text.value()) : Optional.empty();
  }

  private Optional<Fields> table(String name) {
    Optional<Located> value = extras.find(name);
    if (value.isPresent() && !(value.get() instanceof Located.Table)) {
      strange(extras, name);
      return Optional.empty();
    }
    return extras.fields(name);
  }

  static void strange(Fields fields, String name) {
    fields.warn(name, Message.of("jobfile.extras-form", "name", Excerpt.of(name)));
  }

  private static void later(Fields fields, String name) {
    fields.warn(name, Message.of("jobfile.later", "name", Excerpt.of(name)));
  }

  private boolean gangAllocation() {
    String name = "gangAllocation";
    Optional<Located> value = extras.find(name);
    if (value.isPresent() && !(value.get() instanceof Located.Truth)) {
      strange(extras, name);
    }
    return !(value.isPresent() && value.get() instanceof Located.Truth t && !t.value());
  }

  static Optional<String> field(Located item, String name) {
    return item instanceof Located.Table table && table.fields().get(name) instanceof Located.Text t
        ? Optional.of(t.value()).filter(text -> !text.isBlank())
        : Optional.empty();
  }

  private String priority(Fields hived) {
    String name = "jobPriorityClass";
    later(extras, "hivedScheduler");
    hived.find("taskRoles").ifPresent(roles -> cells(hived.path("taskRoles"), roles));
    Optional<Located> value = hived.find(name).filter(found -> !(found instanceof Located.Nothing));
    if (value.isEmpty()) {
      return "";
    }
    String priority = text(value.get()).orElse("");
    if (!PRIORITIES.contains(priority)) {
      hived.tell(name, Message.of("jobfile.priority", "found", Excerpt.of(value.get())));
    }
    return priority;
  }

  private void cells(String path, Located roles) {
    if (!(roles instanceof Located.Table table)) {
      return;
    }
    table
        .fields()
        .forEach(
            (role, wanted) -> {
              if (field(wanted, "skuType").isPresent()
                  && field(wanted, "pinnedCellId").isPresent()) {
                String place = Paths.field(Paths.field(path, role), "pinnedCellId");
                problems.add(place, wanted, Message.of("jobfile.cell-and-type"));
              }
            });
  }

  private List<String> notifications() {
    String name = "jobStatusChangeNotification";
    List<String> wanted = new ArrayList<>();
    Optional<Fields> fields = table(name);
    if (fields.isPresent()) {
      for (String change : CHANGES) {
        Optional<Located> value = fields.get().find(change);
        if (value.isPresent() && value.get() instanceof Located.Truth t && t.value()) {
          wanted.add(change);
        }
      }
      fields.get().warnUnknown();
    }
    if (!wanted.isEmpty()) {
      later(extras, name);
    }
    return wanted;
  }

  private List<RuntimePlugin> plugins(boolean gang) {
    List<RuntimePlugin> all = new ArrayList<>(plugins.ofPrerequisites());
    Optional<Located> value = extras.find(OpenPaiV2Plugins.KEY);
    if (value.isPresent()) {
      if (value.get() instanceof Located.Items items) {
        all.addAll(plugins.ofExtras(items, extras.path(OpenPaiV2Plugins.KEY), gang));
      } else {
        strange(extras, OpenPaiV2Plugins.KEY);
      }
    }
    return all;
  }
}
