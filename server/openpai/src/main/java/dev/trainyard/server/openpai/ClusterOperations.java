package dev.trainyard.server.openpai;

import static dev.trainyard.server.openpai.Operation.v1;
import static dev.trainyard.server.openpai.Operation.v2;

import dev.trainyard.server.work.WorkPools;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Virtual clusters and their resources. */
final class ClusterOperations implements OpenPaiRoutes.Source {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,255}");

  private final Supplier<Inventory> inventory;
  private final PaiClusters clusters;

  ClusterOperations(Supplier<Inventory> inventory, PaiClusters clusters) {
    this.inventory = inventory;
    this.clusters = clusters;
  }

  @Override
  public List<Operation> operations() {
    return List.of(
        v2("GET", "/virtual-clusters", Guard.TOKEN, this::list),
        v1("GET", "/virtual-clusters", Guard.TOKEN, this::list),
        v2("GET", "/virtual-clusters/:vc", Guard.TOKEN, this::show),
        v1("GET", "/virtual-clusters/:vc", Guard.TOKEN, this::show),
        v2("PUT", "/virtual-clusters/:vc", Guard.ADMIN_PERSON, this::change),
        v1("PUT", "/virtual-clusters/:vc", Guard.ADMIN_PERSON, this::change),
        v2("DELETE", "/virtual-clusters/:vc", Guard.ADMIN_PERSON, this::change),
        v1("DELETE", "/virtual-clusters/:vc", Guard.ADMIN_PERSON, this::change),
        v2("PUT", "/virtual-clusters/:vc/status", Guard.ADMIN_PERSON, this::change),
        v1("PUT", "/virtual-clusters/:vc/status", Guard.ADMIN_PERSON, this::change),
        v2("GET", "/virtual-clusters/:vc/sku-types", Guard.TOKEN, this::skuTypesOf),
        v2("GET", "/cluster/sku-types", Guard.TOKEN, this::skuTypes));
  }

  private Object list(PaiRequest request) {
    return WorkPools.SHORT_PARSING.run(() -> views(request));
  }

  private Map<String, Object> views(PaiRequest request) {
    Inventory snapshot = inventory.get();
    if (request.request().query("nodes").isPresent()) {
      return nodes(snapshot);
    }
    Map<String, Object> views = new LinkedHashMap<>();
    clusters.visibleTo(request.caller()).forEach(vc -> views.put(vc.name(), view(vc, snapshot)));
    return views;
  }

  private static Map<String, Object> nodes(Inventory snapshot) {
    Map<String, Object> view = new LinkedHashMap<>();
    snapshot
        .nodes()
        .forEach(
            node -> {
              long used =
                  snapshot.used(task -> task.placement().node().equals(node.name())).devices();
              int deviceCount = node.devices().size();
              Map<String, Object> deviceCounts = new LinkedHashMap<>();
              deviceCounts.put("gpuUsed", used);
              deviceCounts.put("gpuAvailable", Math.max(0, deviceCount - used));
              deviceCounts.put("gpuTotal", deviceCount);
              view.put(node.name(), deviceCounts);
            });
    return view;
  }

  private Object show(PaiRequest request) {
    PaiClusters.Cluster shown = cluster(request, request.path("vc"));
    return WorkPools.SHORT_PARSING.run(() -> view(shown, inventory.get()));
  }

  private PaiClusters.Cluster cluster(PaiRequest request, String name) {
    if (!NAME.matcher(name).matches()) {
      throw PaiException.invalid("\"vcName\" fails to match the required pattern");
    }
    return clusters.visibleTo(request.caller()).stream()
        .filter(vc -> vc.name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> new PaiException(404, "NoVirtualClusterError", "Vc " + name + " not found"));
  }

  /**
   * Returns a virtual cluster with its capacity as a percentage of all resources and its usage as a
   * percentage of its capacity. A virtual cluster without a quota has the capacity of all
   * resources.
   */
  private static Map<String, Object> view(PaiClusters.Cluster vc, Inventory snapshot) {
    Inventory.Amount clusterTotal = snapshot.total();
    Inventory.Amount total = vc.within(clusterTotal);
    Inventory.Amount used = snapshot.used(task -> task.job().virtualCluster().equals(vc.name()));
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("capacity", total.percentOf(clusterTotal));
    view.put("usedCapacity", used.percentOf(total));
    view.put("maxCapacity", 100);
    view.put("dedicated", false);
    view.put("resourcesUsed", used.view());
    view.put("resourcesGuaranteed", total.view());
    view.put("resourcesTotal", total.view());
    return view;
  }

  /**
   * Rejects the change, like the versions of OpenPAI that run on Kubernetes. On this platform,
   * virtual clusters are changed through the native API.
   */
  private Object change(PaiRequest request) {
    if (request.path("vc").equals(PaiClusters.DEFAULT)) {
      throw PaiException.forbidden("Update operation to default vc isn't allowed");
    }
    throw new PaiException(
        400,
        "NotImplementedError",
        "Virtual clusters are changed by /api/v3/virtual-clusters and by the command line.");
  }

  private Object skuTypes(PaiRequest request) {
    request.query("vc").ifPresent(name -> cluster(request, name));
    return types();
  }

  private Object skuTypesOf(PaiRequest request) {
    cluster(request, request.path("vc"));
    return types();
  }

  private Object types() {
    Map<String, Object> view = new LinkedHashMap<>();
    inventory
        .get()
        .skuTypes()
        .forEach(
            (name, amount) -> {
              Map<String, Object> type = new LinkedHashMap<>();
              type.put("cpu", amount.cpus());
              type.put("memory", amount.memory());
              type.put("gpu", amount.devices());
              view.put(name, type);
            });
    return view;
  }
}
