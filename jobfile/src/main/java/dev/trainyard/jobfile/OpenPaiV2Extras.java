package dev.trainyard.jobfile;

import dev.trainyard.model.JobExtras;
import dev.trainyard.model.Message;
import dev.trainyard.model.RuntimePlugin;
import dev.trainyard.model.StorageMount;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads what OpenPAI understands of {@code extras}. OpenPAI lets anything stand there, so what has
 * not the form it should have is warned of and passed over, but for what OpenPAI itself refuses.
 */
final class OpenPaiV2Extras {
  private static final String PLUGINS = "com.microsoft.pai.runtimeplugin";
  private static final Set<String> KNOWN_PLUGINS =
      Set.of("ssh", "tensorboard", "cmd", "git", "teamwise_storage");
  private static final Set<String> PRIORITIES = Set.of("prod", "test", "oppo");
  private static final List<String> CHANGES =
      List.of("running", "succeeded", "stopped", "failed", "retried");

  private final Fields extras;
  private final Problems problems;
  private final List<StorageMount> storages = new ArrayList<>();
  private boolean defaultStorages;

  OpenPaiV2Extras(Fields extras, Problems problems) {
    this.extras = extras;
    this.problems = problems;
  }

  JobExtras read() {
    storages();
    Optional<Fields> hived = table("hivedScheduler");
    List<RuntimePlugin> plugins = plugins();
    return new JobExtras(
        extras.find("submitFrom").flatMap(OpenPaiV2Extras::text).orElse(""),
        gangAllocation(),
        defaultStorages,
        storages,
        hived.map(this::priority).orElse(""),
        hived.map(Fields::plain).orElse(Map.of()),
        notifications(),
        plugins);
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

  private static void strange(Fields fields, String name) {
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

  private void storages() {
    String name = "storages";
    Optional<Located> value = extras.find(name);
    if (value.isEmpty()) {
      return;
    }
    if (!(value.get() instanceof Located.Items items)) {
      strange(extras, name);
      return;
    }
    defaultStorages = items.values().isEmpty();
    for (Located item : items.values()) {
      Optional<String> storage = field(item, "name");
      if (storage.isPresent()) {
        add(storage.get(), field(item, "mountPath").orElse(""));
      } else {
        problems.warn(
            extras.path(name), item, Message.of("jobfile.extras-form", "name", Excerpt.of(item)));
      }
    }
    later(extras, name);
  }

  private void add(String storage, String mountPath) {
    if (storages.stream().noneMatch(known -> known.name().equals(storage))) {
      storages.add(new StorageMount(storage, mountPath.isEmpty() ? "/mnt/" + storage : mountPath));
    }
  }

  private static Optional<String> field(Located item, String name) {
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

  private List<RuntimePlugin> plugins() {
    Optional<Located> value = extras.find(PLUGINS);
    if (value.isEmpty()) {
      return List.of();
    }
    if (!(value.get() instanceof Located.Items items)) {
      strange(extras, PLUGINS);
      return List.of();
    }
    List<RuntimePlugin> plugins = new ArrayList<>();
    for (int i = 0; i < items.values().size(); i++) {
      Located item = items.values().get(i);
      String path = Paths.item(extras.path(PLUGINS), i);
      Optional<String> name = field(item, "plugin");
      if (name.isEmpty()) {
        problems.warn(path, item, Message.of("jobfile.extras-form", "name", Excerpt.of(item)));
        continue;
      }
      String shown = Excerpt.of(name.get());
      String code =
          KNOWN_PLUGINS.contains(name.get()) ? "jobfile.plugin-later" : "jobfile.plugin-unknown";
      problems.warn(path, item, Message.of(code, "name", shown));
      RuntimePlugin plugin = plugin(name.get(), Plain.map((Located.Table) item));
      if (plugin.name().equals("teamwise_storage")) {
        texts(plugin.parameters().get("storageConfigNames")).forEach(found -> add(found, ""));
      }
      plugins.add(plugin);
    }
    return plugins;
  }

  private static RuntimePlugin plugin(String name, Map<String, Object> fields) {
    Map<String, Object> parameters = new LinkedHashMap<>();
    if (fields.get("parameters") instanceof Map<?, ?> given) {
      given.forEach((key, value) -> parameters.put(String.valueOf(key), value));
    }
    return new RuntimePlugin(
        name,
        parameters,
        "ignore".equals(fields.get("failurePolicy")),
        texts(fields.get("taskroles")));
  }

  private static List<String> texts(Object value) {
    return value instanceof List<?> list
        ? list.stream().filter(String.class::isInstance).map(String.class::cast).toList()
        : List.of();
  }
}
