package dev.trainyard.cli.job;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.IsolationText;
import dev.trainyard.cli.Localizer;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.DisplayWidth;
import dev.trainyard.cli.terminal.PlainText;
import dev.trainyard.cli.terminal.Style;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code show JOB}: shows all information about a job. */
@picocli.CommandLine.Command(name = "show")
public final class ShowCommand extends Command {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").withZone(ZoneId.systemDefault());

  @Parameters(paramLabel = "JOB", descriptionKey = "job")
  private String job;

  @Option(names = "--attempt", paramLabel = "N")
  private Integer attempt;

  @Option(names = "--role", paramLabel = "ROLE")
  private String role;

  @Option(names = "--index", paramLabel = "N")
  private Integer index;

  public ShowCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    if (role != null || index != null) {
      return showRuns();
    }
    if (attempt != null) {
      return showAttempt();
    }
    Json found = api().read(JobPath.of(job));
    if (session().json()) {
      found = TaskPager.of(api(), JobPath.of(job), found, found.number("attempt"));
    }
    terminal().print(session().json() ? found.pretty() + "\n" : page(found));
    return ExitCode.OK;
  }

  /** Shows a single task with every run in the attempt. */
  private int showRuns() {
    TaskChoice task = TaskChoice.among(api().read(JobPath.of(job)), role, index);
    String path = JobPath.runs(job, task.role(), task.index());
    Json found = api().read(attempt == null ? path : path + "?attempt=" + attempt);
    terminal()
        .print(
            session().json()
                ? found.pretty() + "\n"
                : new TaskTable(words(), terminal(), System.currentTimeMillis())
                    .tasks(found.list("runs")));
    return ExitCode.OK;
  }

  private int showAttempt() {
    Json found = api().read(JobPath.of(job) + "/attempts/" + attempt);
    if (session().json()) {
      found = TaskPager.of(api(), JobPath.of(job), found, attempt);
    }
    terminal().print(session().json() ? found.pretty() + "\n" : attemptPage(found));
    return ExitCode.OK;
  }

  private String attemptPage(Json found) {
    JobText text = new JobText(words(), found);
    long now = System.currentTimeMillis();
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("attempt", found.string("number"));
    facts.put("cause", words().word("cli.cause", found.string("cause")));
    facts.put("reason", text.reason().orElse(""));
    facts.put("exit-code", found.string("exitCode"));
    putStop(facts, found);
    for (String moment : List.of("created", "started", "ended")) {
      facts.put(moment, found.findLong(moment).map(at -> time(at, now)).orElse(""));
    }
    facts.put("ran", text.duration(now));
    DiagnosisText diagnosis = new DiagnosisText(words(), found);
    diagnosis.addTo(facts);
    return aligned(facts)
        + diagnosis.lines()
        + '\n'
        + new TaskTable(words(), terminal(), now).tasks(found.list("tasks"))
        + more(found);
  }

  /** Returns the image name in the job file and the image that it resolved to. */
  private static String image(Json found) {
    String written = found.string("image");
    return found.list("images").stream()
        .filter(one -> one.string("image").equals(written))
        .map(one -> one.string("reference"))
        .filter(reference -> !reference.equals(written))
        .findFirst()
        .map(reference -> written + " (" + reference + ")")
        .orElse(written);
  }

  private void putStop(Map<String, String> facts, Json found) {
    facts.put(
        "stop-cause",
        found.find("stopCause").map(cause -> words().word("cli.stop-cause", cause)).orElse(""));
    facts.put("stopped-by", found.string("stoppedBy"));
  }

  private String page(Json found) {
    JobText text = new JobText(words(), found);
    long now = System.currentTimeMillis();
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("job", terminal().styled(Style.STRONG, text.fullName()));
    facts.put("id", found.string("id"));
    facts.put("state", terminal().styled(Style.ofState(found.string("state")), text.state()));
    facts.put("reason", text.reason().orElse(""));
    facts.put("exit-code", found.string("exitCode"));
    facts.put("resources", resources(found));
    facts.put("image", image(found));
    facts.put("format", found.string("format"));
    facts.put("attempt", found.number("attempt") > 1 ? found.string("attempt") : "");
    putStop(facts, found);
    for (String moment : List.of("submitted", "started", "ended")) {
      facts.put(moment, found.findLong(moment).map(at -> time(at, now)).orElse(""));
    }
    facts.put("ran", text.duration(now));
    facts.put("isolation", new IsolationText(words()).of(found.at("isolation")));
    DiagnosisText diagnosis = new DiagnosisText(words(), found);
    diagnosis.addTo(facts);
    TaskTable tables = new TaskTable(words(), terminal(), now);
    StringBuilder page = new StringBuilder(aligned(facts));
    for (Json notice : found.list("notices")) {
      text.said(notice, "message", "code", "params")
          .ifPresent(said -> page.append(say("cli.show.notice", "text", said)).append('\n'));
    }
    page.append(diagnosis.lines());
    if (!found.list("tasks").isEmpty()) {
      page.append('\n').append(tables.tasks(found.list("tasks"))).append(more(found));
    }
    if (found.list("attempts").size() > 1) {
      page.append('\n').append(say("cli.show.attempts")).append('\n');
      page.append(tables.attempts(found.list("attempts")));
    }
    if (found.string("state").equals("FAILED") || found.list("attempts").size() > 1) {
      page.append('\n').append(say("cli.show.events", "job", text.fullName())).append('\n');
    }
    return page.toString();
  }

  /** Returns the note that the table is incomplete, and how to get all tasks. */
  private String more(Json found) {
    return found
        .findLong("tasksNext")
        .map(shown -> say("cli.show.more-tasks", "shown", shown, "job", job) + "\n")
        .orElse("");
  }

  private String aligned(Map<String, String> facts) {
    facts.values().removeIf(String::isEmpty);
    int width =
        facts.keySet().stream()
            .mapToInt(name -> DisplayWidth.of(say("cli.column." + name)))
            .max()
            .orElse(0);
    return facts.entrySet().stream()
        .map(
            fact ->
                DisplayWidth.pad(say("cli.column." + fact.getKey()), width + 2)
                    + safe(fact.getKey(), fact.getValue())
                    + "\n")
        .collect(Collectors.joining());
  }

  /** Sanitizes values that come from users; styled values are generated here. */
  private static String safe(String name, String value) {
    return name.equals("job") || name.equals("state") ? value : PlainText.of(value);
  }

  private String resources(Json found) {
    return say(
        "cli.show.resources",
        "tasks",
        found.number("taskCount"),
        "cpus",
        found.string("cpus"),
        "memory",
        Localizer.megabytes(found.number("memoryMB")),
        "devices",
        found.number("devices"));
  }

  private String time(long at, long now) {
    String time = TIME.format(Instant.ofEpochMilli(at));
    return say("cli.time.at", "time", time, "ago", words().ago(at, now));
  }
}
