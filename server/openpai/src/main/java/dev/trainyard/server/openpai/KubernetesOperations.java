package dev.trainyard.server.openpai;

import static dev.trainyard.server.openpai.Operation.v1;
import static dev.trainyard.server.openpai.Operation.v2;

import dev.trainyard.model.Node;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.work.WorkPools;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Nodes and tasks in the format of Kubernetes nodes and pods, with the fields that OpenPAI's
 * clients use. The server does not use Kubernetes and supports no other part of its API.
 */
final class KubernetesOperations implements OpenPaiRoutes.Source {
  private static final String GPU_RESOURCE = "nvidia.com/gpu";

  private final Supplier<Inventory> inventory;

  KubernetesOperations(Supplier<Inventory> inventory) {
    this.inventory = inventory;
  }

  @Override
  public List<Operation> operations() {
    return List.of(
        v2("GET", "/kubernetes/nodes", Guard.ADMIN, _ -> nodes()),
        v1("GET", "/kubernetes/nodes", Guard.ADMIN, _ -> nodes()),
        v2("GET", "/kubernetes/pods", Guard.ADMIN, this::pods),
        v1("GET", "/kubernetes/pods", Guard.ADMIN, this::pods));
  }

  private Object nodes() {
    return list("NodeList", inventory.get().nodes().stream().map(this::node).toList());
  }

  private static Map<String, Object> list(String kind, List<Map<String, Object>> items) {
    Map<String, Object> list = new LinkedHashMap<>();
    list.put("kind", kind);
    list.put("apiVersion", "v1");
    list.put("metadata", Map.of());
    list.put("items", items);
    return list;
  }

  private Map<String, Object> node(Node node) {
    Map<String, String> labels = new LinkedHashMap<>(node.labels());
    labels.put("kubernetes.io/hostname", node.name());
    labels.put("pai-worker", "true");
    Map<String, Object> capacity = new LinkedHashMap<>();
    capacity.put("cpu", String.valueOf(node.cpus()));
    capacity.put("memory", node.memory().megabytes() + "Mi");
    capacity.put(GPU_RESOURCE, String.valueOf(node.devices().size()));
    Map<String, Object> status = new LinkedHashMap<>();
    status.put("capacity", capacity);
    status.put("allocatable", capacity);
    status.put("conditions", List.of(Map.of("type", "Ready", "status", "True")));
    status.put(
        "addresses",
        List.of(
            Map.of("type", "InternalIP", "address", HostAddress.find()),
            Map.of("type", "Hostname", "address", node.name())));
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("metadata", Map.of("name", node.name(), "labels", labels));
    view.put("spec", Map.of());
    view.put("status", status);
    return view;
  }

  private Object pods(PaiRequest request) {
    return WorkPools.SHORT_PARSING.run(() -> podList(request));
  }

  private Map<String, Object> podList(PaiRequest request) {
    List<Map<String, Object>> items = new ArrayList<>();
    boolean inDefaultNamespace = request.query("namespace").map("default"::equals).orElse(true);
    List<String> selector = request.words("labelSelector");
    if (inDefaultNamespace) {
      for (Inventory.PlacedTask task : inventory.get().tasks()) {
        Map<String, String> labels = labels(task);
        if (matches(labels, selector)) {
          items.add(pod(task, labels));
        }
      }
    }
    return list("PodList", items);
  }

  private static Map<String, String> labels(Inventory.PlacedTask task) {
    Job job = task.job();
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put("type", "kube-launcher-task");
    labels.put("userName", job.userName());
    labels.put("jobName", PaiNames.frameworkName(job));
    labels.put("FC_FRAMEWORK_NAME", PaiNames.debugId(job));
    labels.put("FC_TASKROLE_NAME", task.placement().role());
    labels.put("FC_TASK_INDEX", String.valueOf(task.placement().index()));
    labels.put("virtualCluster", job.virtualCluster());
    return labels;
  }

  /**
   * Returns whether labels match a selector. Supports equality terms, as in {@code a=b,c==d,e!=f},
   * and plain names.
   */
  static boolean matches(Map<String, String> labels, List<String> selector) {
    return selector.stream().allMatch(term -> matches(labels, term));
  }

  private static boolean matches(Map<String, String> labels, String term) {
    String[] operands = term.split("!=|==?", 2);
    String name = operands[0].strip();
    if (operands.length == 1) {
      return name.isEmpty() || labels.containsKey(name);
    }
    boolean equal = operands[1].strip().equals(labels.get(name));
    return term.contains("!=") != equal;
  }

  private static Map<String, Object> pod(Inventory.PlacedTask task, Map<String, String> labels) {
    Job job = task.job();
    TaskId id =
        new TaskId(
            job.id(), job.status().attempt(), task.placement().role(), task.placement().index());
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put(
        "name",
        "%s-%s-%d"
            .formatted(PaiNames.debugId(job), task.placement().role(), task.placement().index()));
    metadata.put("namespace", "default");
    metadata.put("uid", PaiNames.containerUid(id));
    metadata.put("labels", labels);
    Inventory.Amount resources = Inventory.Amount.of(task.placement().resources());
    Map<String, Object> limits = new LinkedHashMap<>();
    limits.put("cpu", String.valueOf(resources.cpus()));
    limits.put("memory", resources.memory() + "Mi");
    limits.put(GPU_RESOURCE, String.valueOf(resources.devices()));
    Map<String, Object> container = new LinkedHashMap<>();
    container.put("name", "app");
    container.put("image", job.image());
    container.put("resources", Map.of("limits", limits, "requests", limits));
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("metadata", metadata);
    view.put("spec", Map.of("nodeName", task.placement().node(), "containers", List.of(container)));
    boolean waiting = States.state(job).equals("WAITING");
    Map<String, Object> status = new LinkedHashMap<>();
    status.put("phase", waiting ? "Pending" : "Running");
    status.put(
        "conditions", List.of(Map.of("type", "Ready", "status", waiting ? "False" : "True")));
    view.put("status", status);
    return view;
  }
}
