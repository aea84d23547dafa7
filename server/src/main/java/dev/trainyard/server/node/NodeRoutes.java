package dev.trainyard.server.node;

import dev.trainyard.model.Device;
import dev.trainyard.model.JobId;
import dev.trainyard.model.Node;
import dev.trainyard.scheduler.TaskPlacement;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.job.IsolationView;
import dev.trainyard.server.job.JobService;
import dev.trainyard.server.queue.QueuePipeline;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code /api/v3/nodes}. */
public final class NodeRoutes {
  /** Stands for the name of a job that the caller may not see. */
  private static final String SOMEBODY = "*";

  private final String engine;
  private final QueuePipeline queue;
  private final JobService jobs;

  /**
   * @param engine its name
   */
  public NodeRoutes(String engine, QueuePipeline queue, JobService jobs) {
    this.engine = engine;
    this.queue = queue;
    this.jobs = jobs;
  }

  public void addTo(Routes routes) {
    routes.add("GET", "/api/v3/nodes", Access.USER, this::list);
  }

  private Object list(Request request) {
    Map<JobId, List<TaskPlacement>> placements = queue.placements();
    List<Map<String, Object>> nodes = new ArrayList<>();
    for (Node node : queue.nodes()) {
      nodes.add(node(node, placements, request.caller()));
    }
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("engine", engine);
    view.put("nodes", nodes);
    return view;
  }

  private Map<String, Object> node(
      Node node, Map<JobId, List<TaskPlacement>> placements, Caller caller) {
    long cpus = node.cpus();
    long memory = node.memory().megabytes();
    Map<Integer, JobId> holders = new HashMap<>();
    for (var placed : placements.entrySet()) {
      for (TaskPlacement task : placed.getValue()) {
        if (task.node().equals(node.name())) {
          cpus -= task.resources().cpus();
          memory -= task.resources().memory().megabytes();
          task.devices().forEach(index -> holders.put(index, placed.getKey()));
        }
      }
    }
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("name", node.name());
    view.put("cpus", node.cpus());
    view.put("memoryMB", node.memory().megabytes());
    view.put("freeCpus", Math.max(0, cpus));
    view.put("freeMemoryMB", Math.max(0, memory));
    Map<JobId, String> names = names(holders, caller);
    view.put(
        "devices",
        node.devices().stream()
            .map(device -> device(device, names.get(holders.get(device.index()))))
            .toList());
    view.put("isolation", IsolationView.of(node.isolation()));
    return view;
  }

  private Map<JobId, String> names(Map<Integer, JobId> holders, Caller caller) {
    Map<JobId, String> names = new HashMap<>();
    for (JobId id : holders.values()) {
      names.computeIfAbsent(
          id,
          _ ->
              jobs.refresh(id)
                  .filter(job -> JobService.maySee(caller, job))
                  .map(job -> job.userName() + "~" + job.name())
                  .orElse(SOMEBODY));
    }
    return names;
  }

  private static Map<String, Object> device(Device device, String job) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("vendor", device.vendor());
    view.put("kind", device.vendor().kind());
    view.put("index", device.index());
    view.put("model", device.model());
    view.put("memoryMB", device.memory().megabytes());
    view.put("job", job);
    return view;
  }
}
