package dev.trainyard.bench;

import dev.trainyard.engine.TaskObservation;
import dev.trainyard.engine.testkit.ScriptedEngine;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.Isolation;
import dev.trainyard.model.Node;
import dev.trainyard.model.TaskId;
import dev.trainyard.scheduler.FifoPlanner;
import dev.trainyard.server.Server;
import dev.trainyard.server.config.Logging;
import dev.trainyard.server.config.Settings;
import dev.trainyard.server.config.SettingsReader;
import dev.trainyard.server.feature.JobFeature;
import dev.trainyard.server.feature.OperationsFeature;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * Program that runs the complete server with a simulated engine and a thousand running jobs. Every
 * second some of the jobs finish and are replaced by new jobs. The program prints the address of
 * the server when all jobs are running, and exits at the end of its standard input.
 */
final class ScriptedBenchServer {
  private static final int JOBS = 1_000;
  private static final int CHANGES_PER_SECOND = 20;
  private static final Isolation.Level NO_ISOLATION = Isolation.Level.NONE;

  private final HttpClient client = HttpClient.newHttpClient();
  private final Random random = new Random(1);
  private final ScriptedEngine engine;
  private final Server server;
  private final String token;
  private int submittedJobs;

  private ScriptedBenchServer(Path data) throws IOException {
    DataSize memory = DataSize.ofMegabytes(16L * 1024 * 1024);
    Isolation isolation = new Isolation(NO_ISOLATION, NO_ISOLATION, NO_ISOLATION, NO_ISOLATION);
    engine =
        new ScriptedEngine(
            List.of(new Node("box", 4 * JOBS, memory, List.of(), Map.of(), isolation)));
    Map<String, String> settingValues = new LinkedHashMap<>();
    settingValues.put("data", data.toString());
    settingValues.put("port", "0");
    settingValues.put("rate-limit-submit", "off");
    settingValues.put("user-limits", BenchServer.UNLIMITED);
    Settings settings = SettingsReader.read(settingValues, Map.of());
    Logging.prepare();
    Logging.configure(settings, System.err);
    server =
        Server.start(
            settings,
            Optional.empty(),
            List.of(
                coreServices -> new JobFeature(coreServices, engine, new FifoPlanner()),
                OperationsFeature::new));
    token = Files.readString(data.resolve("local-token")).strip();
  }

  /** Starts this program as a process, whose first line of output is the address. */
  static Process start(Path data) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new ProcessBuilder(
            java,
            "--enable-native-access=ALL-UNNAMED",
            "-XX:TieredStopAtLevel=1",
            "-Dtrainyard.checkout=" + System.getProperty("trainyard.checkout"),
            "-cp",
            System.getProperty("java.class.path"),
            ScriptedBenchServer.class.getName(),
            data.toString())
        .redirectError(data.resolveSibling("errors").toFile())
        .start();
  }

  public static void main(String[] arguments) throws Exception {
    ScriptedBenchServer benchServer = new ScriptedBenchServer(Path.of(arguments[0]));
    for (int i = 0; i < JOBS; i++) {
      benchServer.submit();
    }
    while (benchServer.runningTasks().size() < JOBS) {
      Thread.sleep(100);
    }
    Thread.ofPlatform().daemon().start(benchServer::replaceJobsContinuously);
    System.out.println(benchServer.server.url());
    while (System.in.read() >= 0) {
      // Ignore the input; it ends when the parent process exits.
    }
    System.exit(0);
  }

  private List<TaskId> runningTasks() {
    return engine.list().stream()
        .filter(task -> task.phase() == TaskObservation.Phase.RUNNING)
        .map(TaskObservation::id)
        .toList();
  }

  private void submit() throws IOException, InterruptedException {
    String job = BenchServer.job("train-" + submittedJobs++, 0, "sleep 1000");
    HttpRequest request =
        HttpRequest.newBuilder(server.url().resolve("/api/v3/jobs"))
            .header("Authorization", "Bearer " + token)
            .POST(HttpRequest.BodyPublishers.ofString(job))
            .build();
    HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != 201) {
      throw new IOException("failed to submit a job: " + response.body());
    }
  }

  /**
   * Finishes and submits jobs. Half of the finished jobs are among the newest jobs, which the page
   * shows first.
   */
  private void replaceJobsContinuously() {
    try {
      while (true) {
        List<TaskId> tasks = runningTasks();
        if (!tasks.isEmpty()) {
          int newest = Math.min(50, tasks.size());
          int index =
              submittedJobs % 2 == 0
                  ? tasks.size() - 1 - random.nextInt(newest)
                  : random.nextInt(tasks.size());
          engine.finish(tasks.get(index), submittedJobs % 3 == 0 ? 1 : 0);
        }
        submit();
        Thread.sleep(1_000 / CHANGES_PER_SECOND);
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
