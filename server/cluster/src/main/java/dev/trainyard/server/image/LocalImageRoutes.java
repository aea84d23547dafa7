package dev.trainyard.server.image;

import dev.trainyard.engine.LocalImage;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Fields;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobService;
import dev.trainyard.server.job.Task;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** {@code /api/v3/local-images} and the endpoint that creates an image from a task. */
final class LocalImageRoutes {
  private final Optional<LocalImages> images;
  private final String engine;
  private final JobService jobs;

  /**
   * @param images empty if the engine does not support images
   */
  LocalImageRoutes(Optional<LocalImages> images, String engine, JobService jobs) {
    this.images = images;
    this.engine = engine;
    this.jobs = jobs;
  }

  void addTo(Routes routes) {
    routes.add("GET", "/api/v3/local-images", Access.USER, this::list);
    routes.add("DELETE", "/api/v3/local-images", Access.USER, this::remove);
    routes.add("POST", "/api/v3/local-images/pull", Access.ADMIN, this::pull);
    routes.add("POST", "/api/v3/jobs/:job/commit", Access.JOBS, this::commit);
  }

  private LocalImages images() {
    return images.orElseThrow(() -> ImageFaults.noImages(engine));
  }

  private Object list(Request request) {
    return Map.of("images", images().list(request.caller()));
  }

  private Reply remove(Request request) {
    LocalImages localImages = images();
    localImages.remove(request.caller(), Actor.of(request), request.query("reference").orElse(""));
    return Reply.noContent();
  }

  private Reply pull(Request request) {
    LocalImages localImages = images();
    Fields fields = new Fields(request.json());
    String reference = fields.text("reference");
    fields.check();
    Caller caller = request.caller();
    Actor actor = Actor.of(request);
    return ProgressReply.of(
        (stop, progress) -> view(localImages.pull(caller, actor, reference, stop, progress)));
  }

  private Reply commit(Request request) {
    Caller caller = request.caller();
    Job job = jobs.load(caller, request.path("job"));
    LocalImages localImages = images();
    Fields fields = new Fields(request.json());
    String name = fields.text("name");
    Optional<String> role = fields.optionalText("role");
    int index = fields.optionalNumber("index", 0, Integer.MAX_VALUE).orElse(0L).intValue();
    boolean push = fields.optionalFlag("push").orElse(false);
    fields.check();
    TaskId task = task(job, role, index);
    Actor actor = Actor.of(request);
    return ProgressReply.of(
        (_, progress) -> view(localImages.commit(caller, actor, task, name, push, progress)));
  }

  private TaskId task(Job job, Optional<String> role, int index) {
    String roleName = role.orElseGet(() -> jobs.config(job).spec().roles().getFirst().name());
    return jobs.task(job, roleName, index)
        .map(Task::id)
        .orElseThrow(
            () ->
                new AppException(
                    ErrorCode.NOT_FOUND,
                    Message.of("error.no-such-task", "task", roleName + "-" + index)));
  }

  private static Map<String, Object> view(LocalImage image) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("id", image.id());
    view.put("references", image.references());
    view.put("size", image.size());
    view.put("architecture", image.architecture());
    return view;
  }
}
