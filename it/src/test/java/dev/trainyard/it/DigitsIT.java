package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.engine.testkit.Requirement;
import dev.trainyard.it.Trainyard.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Training jobs with the real PyTorch and the job files in {@code examples}. */
class DigitsIT extends NeedsSandbox {
  private static final Path EXAMPLES = Trainyard.CHECKOUT.resolve("examples");
  private static final Pattern ACCURACY = Pattern.compile("accuracy ([0-9.]+)% on 360 pictures");
  private static final Pattern RESUMED = Pattern.compile("resumed from epoch ([0-9]+)\n");

  @TempDir static Path directory;
  private static Trainyard yard;

  @BeforeAll
  static void start() throws Exception {
    Requirement.require(
        "torch",
        hasTorch(),
        "/usr/bin/python3 has no torch or no sklearn (python3-torch, -sklearn)");
    yard = Trainyard.start(directory.resolve("data"), "--capacity", "cpu=2,memoryMB=4096");
  }

  @AfterAll
  static void stopServer() {
    if (yard != null) {
      yard.close();
    }
  }

  private static boolean hasTorch() throws InterruptedException {
    String find =
        "from importlib.util import find_spec; exit(not (find_spec('torch') and"
            + " find_spec('sklearn')))";
    try {
      return new ProcessBuilder("/usr/bin/python3", "-c", find).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static Path home() {
    return yard.data().resolve("home/admin");
  }

  private static void assertLearned(Result run) {
    assertThat(run.exitCode()).as(run.toString()).isZero();
    Matcher accuracy = ACCURACY.matcher(run.out());
    assertThat(accuracy.find()).as(run.toString()).isTrue();
    assertThat(Double.parseDouble(accuracy.group(1))).isGreaterThan(95);
  }

  @Test
  void run_digits_twoTasksTrainTheModel() throws Exception {
    Result run = yard.run("run", EXAMPLES.resolve("digits.yaml").toString());
    assertLearned(run);
    assertThat(run.out())
        .contains("worker-0 | task 0 of 2 learns from 718 pictures")
        .contains("worker-1 | task 1 of 2 learns from 718 pictures");
    assertThat(yard.run("outputs", "digits").out()).contains("model.pt");
    Path model = yard.data().resolve("downloaded.pt");
    Result download = yard.run("outputs", "digits", "--get", "model.pt", "-o", model.toString());
    assertThat(download.exitCode()).as(download.toString()).isZero();
    assertThat(Files.readString(model, java.nio.charset.StandardCharsets.ISO_8859_1))
        .startsWith("PK"); // PyTorch writes zip files
  }

  @Test
  void run_interrupted_resumesOnRetry() throws Exception {
    Result run = yard.run("run", EXAMPLES.resolve("digits-resume.yaml").toString());
    assertLearned(run);
    assertThat(run.out()).containsSubsequence("epoch 5: ", "saved epoch 5", "resumed from epoch 5");
    assertThat(run.out()).containsOnlyOnce("epoch 1: ").containsOnlyOnce("epoch 6: ");
    JsonNode job = yard.run("show", "digits-resume", "--json").json();
    assertThat(job.get("attempt").asInt()).isEqualTo(2);
    assertThat(job.get("retries").asInt()).isEqualTo(1);
    assertThat(home().resolve("digits-resume.checkpoint")).doesNotExist();
  }

  @Test
  void pause_whileTraining_resumesFromTheCheckpoint() throws Exception {
    String endless =
        Files.readString(EXAMPLES.resolve("digits-resume.yaml"))
            .replace("name: digits-resume\n", "name: endless\n")
            .replace("epochs: 10\n", "epochs: 1000000\n")
            .replace("interruptAfter: 5\n", "interruptAfter: 0\n")
            .replace("digits-resume.checkpoint", "endless.checkpoint");
    String id = yard.submit(endless).get("id").asText();
    awaitLog(id, Pattern.compile("epoch 3: "));
    yard.request("POST", "/api/v3/jobs/" + id + "/pause", "");
    yard.await(id, "PAUSED");
    Matcher saved = awaitLog(id, Pattern.compile("asked to end, saved epoch ([0-9]+)\n"));
    assertThat(home().resolve("endless.checkpoint")).isNotEmptyFile();

    yard.request("POST", "/api/v3/jobs/" + id + "/resume", "");
    yard.await(id, "RUNNING");
    Matcher resumed = awaitLog(id, RESUMED);
    assertThat(resumed.group(1)).isEqualTo(saved.group(1));
    yard.request("POST", "/api/v3/jobs/" + id + "/stop?graceSeconds=0", "");
    yard.await(id, "STOPPED");
  }

  private static Matcher awaitLog(String job, Pattern line) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    while (true) {
      String log = yard.log(job, "stdout");
      Matcher matcher = line.matcher(log);
      if (matcher.find()) {
        return matcher;
      }
      if (System.nanoTime() > deadline) {
        throw new AssertionError("no " + line + " in 90 s: " + log + yard.log(job, "stderr"));
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }
}
