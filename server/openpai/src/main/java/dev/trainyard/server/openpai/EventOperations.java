package dev.trainyard.server.openpai;

import static dev.trainyard.server.openpai.Operation.v2;

import dev.trainyard.model.TaskId;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.event.Event;
import dev.trainyard.server.event.EventScope;
import dev.trainyard.server.event.EventStore;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.work.WorkPools;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** {@code /jobs/{job}/events}: lists the events of a job. */
final class EventOperations implements OpenPaiRoutes.Source {
  private static final int MAX_EVENTS = 10_000;
  private static final Integer NO_TASK = -1;

  private final Db db;
  private final EventStore store;
  private final JobAccess access;

  EventOperations(Db db, EventStore store, JobAccess access) {
    this.db = db;
    this.store = store;
    this.access = access;
  }

  @Override
  public List<Operation> operations() {
    return List.of(v2("GET", "/jobs/:job/events", Guard.TOKEN, this::list));
  }

  private Object list(PaiRequest request) {
    Job job = access.job(request);
    Optional<String> type = request.query("type");
    if (type.isPresent() && !List.of("Warning", "Normal").contains(type.get())) {
      throw PaiException.invalid("The event type is not valid.");
    }
    return WorkPools.SHORT_PARSING.run(() -> page(job, request.caller(), type));
  }

  private Map<String, Object> page(Job job, Caller caller, Optional<String> type) {
    EventScope scope = EventScope.of(caller, Optional.of(job.id()));
    List<Map<String, Object>> events =
        db.read(handle -> store.listBefore(handle, scope, Long.MAX_VALUE, MAX_EVENTS)).stream()
            .filter(event -> type.map(type(event)::equals).orElse(true))
            .map(event -> view(job, event))
            .toList();
    Map<String, Object> page = new LinkedHashMap<>();
    page.put("totalCount", events.size());
    page.put("data", events);
    return page;
  }

  private static String type(Event event) {
    return event.details().warning() ? "Warning" : "Normal";
  }

  private static Map<String, Object> view(Job job, Event event) {
    Optional<String> role = event.details().role();
    Integer index = event.details().index().isPresent() ? event.details().index().getAsInt() : null;
    Optional<TaskId> task =
        role.map(
            name ->
                new TaskId(job.id(), event.details().attempt(), name, index == null ? 0 : index));
    String time = event.time().toString();
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("uid", String.valueOf(event.id()));
    view.put("frameworkName", PaiNames.frameworkName(job));
    // OpenPAI's clients expect these fields in every event, even if the event is about the whole
    // job.
    view.put("podUid", task.map(PaiNames::containerUid).orElse(""));
    view.put("taskroleName", role.orElse(""));
    view.put("taskName", role.map(name -> name + "-" + index).orElse(""));
    view.put("taskIndex", index == null ? NO_TASK : index);
    view.put("type", type(event));
    view.put("reason", reason(event));
    view.put("message", event.details().message().english());
    view.put("firstTimestamp", time);
    view.put("lastTimestamp", time);
    view.put("count", 1);
    view.put("sourceComponent", "trainyard");
    view.put("sourceHost", null);
    return view;
  }

  /** Returns the reason of an event, such as TaskStarted. */
  private static String reason(Event event) {
    StringBuilder text = new StringBuilder();
    for (String word : event.details().type().name().split("_", -1)) {
      text.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return text.toString();
  }
}
