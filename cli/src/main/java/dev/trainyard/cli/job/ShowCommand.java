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
  private static final DateTimeFormatter TIME_FORMAT =
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
    Json jobInfo = api().read(JobPath.of(job));
    if (session().json()) {
      jobInfo = TaskPager.loadAll(api(), JobPath.of(job), jobInfo, jobInfo.number("attempt"));
    }
    terminal().print(session().json() ? jobInfo.pretty() + "\n" : formatJob(jobInfo));
    return ExitCode.OK;
  }

  /** Shows a single task with every run in the attempt. */
  private int showRuns() {
    TaskChoice task = TaskChoice.resolve(api().read(JobPath.of(job)), role, index);
    String path = JobPath.runs(job, task.role(), task.index());
    Json runs = api().read(attempt == null ? path : path + "?attempt=" + attempt);
    terminal()
        .print(
            session().json()
                ? runs.pretty() + "\n"
                : new TaskTable(localizer(), terminal(), System.currentTimeMillis())
                    .tasks(runs.list("runs")));
    return ExitCode.OK;
  }

  private int showAttempt() {
    Json attemptInfo = api().read(JobPath.of(job) + "/attempts/" + attempt);
    if (session().json()) {
      attemptInfo = TaskPager.loadAll(api(), JobPath.of(job), attemptInfo, attempt);
    }
    terminal().print(session().json() ? attemptInfo.pretty() + "\n" : formatAttempt(attemptInfo));
    return ExitCode.OK;
  }

  private String formatAttempt(Json attemptInfo) {
    JobText text = new JobText(localizer(), attemptInfo);
    long now = System.currentTimeMillis();
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("attempt", attemptInfo.string("number"));
    facts.put("cause", localizer().enumText("cli.cause", attemptInfo.string("cause")));
    facts.put("reason", text.reason().orElse(""));
    facts.put("exit-code", attemptInfo.string("exitCode"));
    putStop(facts, attemptInfo);
    for (String field : List.of("created", "started", "ended")) {
      facts.put(field, attemptInfo.findLong(field).map(millis -> time(millis, now)).orElse(""));
    }
    facts.put("ran", text.duration(now));
    DiagnosisText diagnosis = new DiagnosisText(localizer(), attemptInfo);
    diagnosis.addTo(facts);
    return formatFields(facts)
        + diagnosis.lines()
        + '\n'
        + new TaskTable(localizer(), terminal(), now).tasks(attemptInfo.list("tasks"))
        + moreTasksNote(attemptInfo);
  }

  /** Returns the image name of the job file and the image to which it was resolved. */
  private static String image(Json jobInfo) {
    String imageName = jobInfo.string("image");
    return jobInfo.list("images").stream()
        .filter(usedImage -> usedImage.string("image").equals(imageName))
        .map(usedImage -> usedImage.string("reference"))
        .filter(reference -> !reference.equals(imageName))
        .findFirst()
        .map(reference -> imageName + " (" + reference + ")")
        .orElse(imageName);
  }

  private void putStop(Map<String, String> facts, Json jobOrAttempt) {
    facts.put(
        "stop-cause",
        jobOrAttempt
            .find("stopCause")
            .map(cause -> localizer().enumText("cli.stop-cause", cause))
            .orElse(""));
    facts.put("stopped-by", jobOrAttempt.string("stoppedBy"));
  }

  private String formatJob(Json jobInfo) {
    JobText text = new JobText(localizer(), jobInfo);
    long now = System.currentTimeMillis();
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("job", terminal().styled(Style.STRONG, text.fullName()));
    facts.put("id", jobInfo.string("id"));
    facts.put("state", terminal().styled(Style.ofState(jobInfo.string("state")), text.state()));
    facts.put("reason", text.reason().orElse(""));
    facts.put("exit-code", jobInfo.string("exitCode"));
    facts.put("resources", resources(jobInfo));
    facts.put("image", image(jobInfo));
    facts.put("format", jobInfo.string("format"));
    facts.put("attempt", jobInfo.number("attempt") > 1 ? jobInfo.string("attempt") : "");
    putStop(facts, jobInfo);
    for (String field : List.of("submitted", "started", "ended")) {
      facts.put(field, jobInfo.findLong(field).map(millis -> time(millis, now)).orElse(""));
    }
    facts.put("ran", text.duration(now));
    facts.put("isolation", new IsolationText(localizer()).of(jobInfo.at("isolation")));
    DiagnosisText diagnosis = new DiagnosisText(localizer(), jobInfo);
    diagnosis.addTo(facts);
    TaskTable tables = new TaskTable(localizer(), terminal(), now);
    StringBuilder page = new StringBuilder(formatFields(facts));
    for (Json notice : jobInfo.list("notices")) {
      text.message(notice, "message", "code", "params")
          .ifPresent(message -> page.append(text("cli.show.notice", "text", message)).append('\n'));
    }
    page.append(diagnosis.lines());
    if (!jobInfo.list("tasks").isEmpty()) {
      page.append('\n').append(tables.tasks(jobInfo.list("tasks"))).append(moreTasksNote(jobInfo));
    }
    if (jobInfo.list("attempts").size() > 1) {
      page.append('\n').append(text("cli.show.attempts")).append('\n');
      page.append(tables.attempts(jobInfo.list("attempts")));
    }
    if (jobInfo.string("state").equals("FAILED") || jobInfo.list("attempts").size() > 1) {
      page.append('\n').append(text("cli.show.events", "job", text.fullName())).append('\n');
    }
    return page.toString();
  }

  /** Returns a note that says that the table is incomplete and how to list all tasks. */
  private String moreTasksNote(Json jobOrAttempt) {
    return jobOrAttempt
        .findLong("tasksNext")
        .map(shown -> text("cli.show.more-tasks", "shown", shown, "job", job) + "\n")
        .orElse("");
  }

  private String formatFields(Map<String, String> facts) {
    facts.values().removeIf(String::isEmpty);
    int width =
        facts.keySet().stream()
            .mapToInt(name -> DisplayWidth.of(text("cli.column." + name)))
            .max()
            .orElse(0);
    return facts.entrySet().stream()
        .map(
            fact ->
                DisplayWidth.pad(text("cli.column." + fact.getKey()), width + 2)
                    + sanitize(fact.getKey(), fact.getValue())
                    + "\n")
        .collect(Collectors.joining());
  }

  /**
   * Sanitizes a value that may come from a user. Skips the values that this class has already
   * sanitized and styled.
   */
  private static String sanitize(String name, String value) {
    return name.equals("job") || name.equals("state") ? value : PlainText.of(value);
  }

  private String resources(Json jobInfo) {
    return text(
        "cli.show.resources",
        "tasks",
        jobInfo.number("taskCount"),
        "cpus",
        jobInfo.string("cpus"),
        "memory",
        Localizer.megabytes(jobInfo.number("memoryMB")),
        "devices",
        jobInfo.number("devices"));
  }

  private String time(long millis, long now) {
    String time = TIME_FORMAT.format(Instant.ofEpochMilli(millis));
    return text("cli.time.at", "time", time, "ago", localizer().ago(millis, now));
  }
}
