package dev.trainyard.server.node;

import dev.trainyard.engine.Engine;
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
import dev.trainyard.server.work.WorkPools;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code /api/v3/nodes}. */
public final class NodeRoutes {
  /** Replaces the name of a job that the caller may not see. */
  private static final String HIDDEN_JOB = "*";

  private static final int MAX_REASON_LENGTH = 500;

  /**
   * Maximum number of visible jobs per node in a response. Lists the jobs with the most devices
   * first, then the jobs with the most CPUs.
   */
  private static final int MAX_JOBS = 200;

  private final String engine;
  private final QueuePipeline queue;
  private final PlacedJobs placedJobs;
  private final CordonService cordons;

  public NodeRoutes(
      Engine engine,
      QueuePipeline queue,
      JobService jobs,
      CordonService cordons,
      InstantSource clock) {
    this.engine = engine.name();
    this.queue = queue;
    this.placedJobs = PlacedJobs.of(jobs, engine::usage, clock);
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
    int tasks = placements.values().stream().mapToInt(List::size).sum();
    return WorkPools.runForCount(tasks, () -> list(placements, request));
  }

  private Map<String, Object> list(Map<JobId, List<TaskPlacement>> placements, Request request) {
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
    Map<JobId, NodeJob> jobs = jobsOf(node, placements);
    long freeCpus = node.cpus();
    long freeMemory = node.memory().megabytes();
    int tasks = 0;
    Map<Integer, JobId> jobsByDevice = new HashMap<>();
    for (var entry : jobs.entrySet()) {
      NodeJob job = entry.getValue();
      tasks += job.tasks();
      freeCpus -= job.cpus();
      freeMemory -= job.memoryMB();
      job.devices().forEach(index -> jobsByDevice.put(index, entry.getKey()));
    }
    Map<JobId, PlacedJobs.PlacedJob> visible = visibleJobs(placements, caller);
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
    view.put(
        "devices",
        node.devices().stream()
            .map(device -> device(device, name(jobsByDevice.get(device.index()), visible)))
            .toList());
    view.put("jobs", jobViews(jobs, visible));
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

  /** Resources that the tasks of a job hold on one node. */
  private record NodeJob(int tasks, long cpus, long memoryMB, List<Integer> devices) {
    static final NodeJob NONE = new NodeJob(0, 0, 0, List.of());

    NodeJob plus(NodeJob other) {
      List<Integer> allDevices = new ArrayList<>(devices);
      allDevices.addAll(other.devices);
      return new NodeJob(
          tasks + other.tasks, cpus + other.cpus, memoryMB + other.memoryMB, allDevices);
    }

    static NodeJob of(TaskPlacement task) {
      return new NodeJob(
          1, task.resources().cpus(), task.resources().memory().megabytes(), task.devices());
    }
  }

  private static Map<JobId, NodeJob> jobsOf(Node node, Map<JobId, List<TaskPlacement>> placements) {
    Map<JobId, NodeJob> jobs = new HashMap<>();
    placements.forEach(
        (id, tasks) ->
            tasks.stream()
                .filter(task -> task.node().equals(node.name()))
                .forEach(task -> jobs.merge(id, NodeJob.of(task), NodeJob::plus)));
    return jobs;
  }

  private Map<JobId, PlacedJobs.PlacedJob> visibleJobs(
      Map<JobId, List<TaskPlacement>> placements, Caller caller) {
    Map<JobId, PlacedJobs.PlacedJob> visible = new HashMap<>();
    placedJobs
        .load(placements)
        .forEach(
            (id, placed) -> {
              if (JobService.mayUse(caller, placed.job())) {
                visible.put(id, placed);
              }
            });
    return visible;
  }

  private static String name(JobId id, Map<JobId, PlacedJobs.PlacedJob> visible) {
    if (id == null) {
      return null;
    }
    PlacedJobs.PlacedJob placed = visible.get(id);
    return placed == null ? HIDDEN_JOB : placed.job().userName() + "~" + placed.job().name();
  }

  /**
   * Returns one entry for each job that the caller may see, and one entry for all other jobs
   * together.
   */
  private static List<Map<String, Object>> jobViews(
      Map<JobId, NodeJob> jobs, Map<JobId, PlacedJobs.PlacedJob> visible) {
    List<Map<String, Object>> views = new ArrayList<>();
    jobs.entrySet().stream()
        .filter(entry -> visible.containsKey(entry.getKey()))
        .sorted(
            Comparator.comparingInt(
                    (Map.Entry<JobId, NodeJob> entry) -> entry.getValue().devices().size())
                .thenComparingLong(entry -> entry.getValue().cpus())
                .reversed())
        .limit(MAX_JOBS)
        .forEach(
            entry ->
                views.add(jobView(Optional.of(visible.get(entry.getKey())), entry.getValue())));
    NodeJob hidden =
        jobs.entrySet().stream()
            .filter(entry -> !visible.containsKey(entry.getKey()))
            .map(Map.Entry::getValue)
            .reduce(NodeJob.NONE, NodeJob::plus);
    if (hidden.tasks() > 0) {
      views.add(jobView(Optional.empty(), hidden));
    }
    return views;
  }

  private static Map<String, Object> jobView(Optional<PlacedJobs.PlacedJob> placed, NodeJob job) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("name", placed.map(it -> it.job().name()).orElse(HIDDEN_JOB));
    view.put("user", placed.map(it -> it.job().userName()).orElse(null));
    view.put("virtualCluster", placed.map(it -> it.job().virtualCluster()).orElse(null));
    view.put("tasks", job.tasks());
    view.put("cpus", job.cpus());
    view.put("memoryMB", job.memoryMB());
    view.put("devices", job.devices().stream().sorted().toList());
    view.put(
        "usedCpus",
        placed
            .filter(it -> it.usedCpus().isPresent())
            .map(it -> it.usedCpus().getAsDouble())
            .orElse(null));
    return view;
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
