package dev.trainyard.cli.job;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.Style;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code events [JOB]}: shows past events, oldest first, and follows new ones. */
@picocli.CommandLine.Command(name = "events")
public final class EventsCommand extends Command {
  private static final int MAX_PAGE_SIZE = 500;
  private static final Set<String> FINAL_TYPES = Set.of("SUCCEEDED", "FAILED", "STOPPED");
  private static final DateTimeFormatter TIME_FORMAT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").withZone(ZoneId.systemDefault());

  @Parameters(paramLabel = "JOB", arity = "0..1", descriptionKey = "job")
  private String job;

  @Option(names = {"-f", "--follow"})
  private boolean follow;

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N")
  private int limit = 50;

  public EventsCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() throws InterruptedException {
    if (limit < 1) {
      throw session().wrong("cli.wrong.least", "name", "--limit", "least", 1, "value", limit);
    }
    return follow ? followEvents() : listEvents();
  }

  private int listEvents() {
    History history = history(job);
    if (session().json()) {
      terminal().line(new Json(history.events().stream().map(Json::value).toList()).pretty());
    } else if (history.events().isEmpty()) {
      terminal().note(say("cli.events.none"));
    } else {
      history.events().forEach(this::show);
      if (history.hasMore()) {
        terminal().note(say("cli.events.more", "n", history.events().size()));
      }
    }
    return ExitCode.OK;
  }

  private int followEvents() throws InterruptedException {
    // Use the ID because another job may get the same name later.
    Optional<Json> jobInfo = Optional.ofNullable(job).map(name -> api().read(JobPath.of(name)));
    Optional<String> id = jobInfo.map(info -> info.string("id"));
    List<Json> pastEvents = history(id.orElse(null)).events();
    pastEvents.forEach(this::show);
    boolean isFinished =
        jobInfo.map(info -> new JobText(words(), info).isFinal()).orElse(false)
            || pastEvents.stream().anyMatch(this::isLast);
    if (!isFinished) {
      long newestId = pastEvents.isEmpty() ? 0 : pastEvents.getLast().number("id");
      new EventFollower(api(), id, LogCopy.RetryPolicy.DEFAULT, this::handle).follow(newestId);
    }
    return ExitCode.OK;
  }

  private boolean handle(EventFollower.StreamMessage message) {
    return switch (message) {
      case EventFollower.StreamMessage.Reset() -> {
        terminal().note(say("cli.events.gap"));
        yield true;
      }
      case EventFollower.StreamMessage.Event(Json event) -> {
        show(event);
        yield !isLast(event);
      }
    };
  }

  private boolean isLast(Json event) {
    return job != null && FINAL_TYPES.contains(event.string("type"));
  }

  /**
   * The newest events, oldest first.
   *
   * @param hasMore whether there are older events
   */
  private record History(List<Json> events, boolean hasMore) {}

  private History history(String jobName) {
    String path = jobName == null ? "/api/v3/events" : JobPath.of(jobName) + "/events";
    List<Json> events = new ArrayList<>();
    Optional<String> next = Optional.of("");
    while (next.isPresent() && events.size() < limit) {
      int count = Math.min(MAX_PAGE_SIZE, limit - events.size());
      String after = next.get().isEmpty() ? "" : "&after=" + next.get();
      Json page = api().read(path + "?limit=" + count + after);
      events.addAll(page.list("events"));
      next = page.list("events").isEmpty() ? Optional.empty() : page.find("next");
    }
    Collections.reverse(events);
    return new History(events, next.isPresent());
  }

  private void show(Json event) {
    if (session().json()) {
      terminal().line(event.text());
      return;
    }
    JobText text = new JobText(words(), event);
    String sentence = text.message(event, "message", "code", "params").orElse(event.string("type"));
    String styledText = event.isTrue("warning") ? terminal().styled(Style.BAD, sentence) : sentence;
    String time = TIME_FORMAT.format(Instant.ofEpochMilli(event.number("time")));
    terminal().line(terminal().styled(Style.DIM, time) + "  " + subject(text) + styledText);
  }

  private String subject(JobText text) {
    return job == null ? terminal().styled(Style.STRONG, text.fullName()) + "  " : "";
  }
}
