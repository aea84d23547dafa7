package dev.trainyard.server.node;

import dev.trainyard.model.AppException;
import dev.trainyard.model.Device;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.JobId;
import dev.trainyard.model.Message;
import dev.trainyard.model.Node;
import dev.trainyard.scheduler.TaskPlacement;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Fields;
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
  /** Replaces the name of a job that the caller may not see. */
  private static final String HIDDEN_JOB = "*";

  private static final int MAX_REASON_LENGTH = 500;

  private final String engine;
  private final QueuePipeline queue;
  private final JobService jobs;

  private final CordonService cordons;

  /**
   * @param engine name of the engine
   */
  public NodeRoutes(String engine, QueuePipeline queue, JobService jobs, CordonService cordons) {
    this.engine = engine;
    this.queue = queue;
    this.jobs = jobs;
    this.cordons = cordons;
  }

  public void addTo(Routes routes) {
    routes.add("GET", "/api/v3/nodes", Access.USER, this::list);
    routes.add("POST", "/api/v3/nodes/:node/cordon", Access.ADMIN, this::cordon);
    routes.add("POST", "/api/v3/nodes/:node/uncordon", Access.ADMIN, this::uncordon);
  }

  private Object cordon(Request request) {
    Node node = load(request);
    Fields fields = new Fields(request.json());
    String reason = fields.optionalText("reason", MAX_REASON_LENGTH).orElse("").strip();
    fields.check();
    cordons.put(Actor.of(request), node.name(), reason);
    queue.constraintsChanged();
    return view(node, request);
  }

  private Object uncordon(Request request) {
    Node node = load(request);
    cordons.remove(Actor.of(request), node.name());
    queue.constraintsChanged();
    return view(node, request);
  }

  private Node load(Request request) {
    String name = request.path("node");
    return queue.nodes().stream()
        .filter(node -> node.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new AppException(
                    ErrorCode.NOT_FOUND, Message.of("error.no-such-node", "node", name)));
  }

  private Map<String, Object> view(Node node, Request request) {
    return node(node, queue.placements(), cordons.loadAll().get(node.name()), request.caller());
  }

  private Object list(Request request) {
    Map<JobId, List<TaskPlacement>> placements = queue.placements();
    Map<String, Cordon> cordonsByNode = cordons.loadAll();
    List<Map<String, Object>> nodes = new ArrayList<>();
    for (Node node : queue.nodes()) {
      nodes.add(node(node, placements, cordonsByNode.get(node.name()), request.caller()));
    }
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("engine", engine);
    view.put("nodes", nodes);
    return view;
  }

  private Map<String, Object> node(
      Node node, Map<JobId, List<TaskPlacement>> placements, Cordon cordon, Caller caller) {
    long freeCpus = node.cpus();
    long freeMemory = node.memory().megabytes();
    int tasks = 0;
    Map<Integer, JobId> jobsByDevice = new HashMap<>();
    for (var entry : placements.entrySet()) {
      for (TaskPlacement task : entry.getValue()) {
        if (task.node().equals(node.name())) {
          tasks++;
          freeCpus -= task.resources().cpus();
          freeMemory -= task.resources().memory().megabytes();
          task.devices().forEach(index -> jobsByDevice.put(index, entry.getKey()));
        }
      }
    }
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("name", node.name());
    view.put("engine", engine);
    view.put("architecture", node.labels().get("arch"));
    view.put("cordon", cordon == null ? null : cordon(cordon));
    view.put("tasks", tasks);
    view.put("cpus", node.cpus());
    view.put("memoryMB", node.memory().megabytes());
    view.put("freeCpus", Math.max(0, freeCpus));
    view.put("freeMemoryMB", Math.max(0, freeMemory));
    view.put("usedCpus", node.cpus() - freeCpus);
    view.put("usedMemoryMB", node.memory().megabytes() - freeMemory);
    Map<JobId, String> names = names(jobsByDevice, caller);
    view.put(
        "devices",
        node.devices().stream()
            .map(device -> device(device, names.get(jobsByDevice.get(device.index()))))
            .toList());
    view.put("isolation", IsolationView.of(node.isolation()));
    return view;
  }

  private static Map<String, Object> cordon(Cordon cordon) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("user", cordon.user());
    view.put("reason", cordon.reason());
    view.put("since", cordon.since());
    return view;
  }

  private Map<JobId, String> names(Map<Integer, JobId> jobsByDevice, Caller caller) {
    Map<JobId, String> names = new HashMap<>();
    for (JobId id : jobsByDevice.values()) {
      names.computeIfAbsent(
          id,
          _ ->
              jobs.refresh(id)
                  .filter(job -> JobService.mayUse(caller, job))
                  .map(job -> job.userName() + "~" + job.name())
                  .orElse(HIDDEN_JOB));
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
