package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Many short jobs with known results, for tests that kill processes while they run. Every run of a
 * task appends one line to a file of the user, so that tests detect tasks that ran twice.
 */
final class ShortJobs {
  private static final long PATIENCE = TimeUnit.MINUTES.toNanos(4);

  private final Random random;
  private final Map<String, Integer> numbers = new LinkedHashMap<>();

  ShortJobs(long seed) {
    random = new Random(seed);
  }

  /** Submits the jobs with the numbers 0 to {@code count - 1}. */
  void submit(Trainyard yard, int count) throws Exception {
    for (int number = 0; number < count; number++) {
      String id = yard.submit(jobFile(number, random.nextInt(600))).get("id").asText();
      numbers.put(id, number);
    }
  }

  private static String jobFile(int number, int millis) {
    String pause = "sleep 0.%03d\n".formatted(millis);
    return Trainyard.job(
        "storm-" + number,
        "echo begin "
            + number
            + "\n"
            + pause
            + "echo \"$PAI_CONTAINER_ID\" >> /userhome/lines\nseq 1 500\n"
            + pause
            + "echo end >&2\nexit "
            + exitCode(number));
  }

  private static int exitCode(int number) {
    return number % 10 == 9 ? 3 : 0;
  }

  /** Waits for a random time before the next kill. */
  void sleepRandomly(int maxMillis) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(random.nextInt(maxMillis));
  }

  /** Returns a list with one random element; empty if the given list is empty. */
  <T> List<T> randomElement(List<T> all) {
    return all.isEmpty() ? List.of() : List.of(all.get(random.nextInt(all.size())));
  }

  /** Waits for the end of all jobs and returns them by number. */
  Map<Integer, JsonNode> awaitEnds(Trainyard yard) throws Exception {
    long deadline = System.nanoTime() + PATIENCE;
    Map<Integer, JsonNode> ended = new TreeMap<>();
    while (ended.size() < numbers.size()) {
      for (var job : numbers.entrySet()) {
        if (!ended.containsKey(job.getValue())) {
          JsonNode seen =
              Trainyard.JSON.readTree(
                  yard.request("GET", "/api/v3/jobs/" + job.getKey(), "").body());
          if (!List.of("SUCCEEDED", "FAILED", "STOPPED").contains(seen.path("state").asText())) {
            assertThat(System.nanoTime()).as("unfinished: " + seen).isLessThan(deadline);
            break;
          }
          ended.put(job.getValue(), seen);
        }
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
    return ended;
  }

  /** Checks the result and the complete output of every job. */
  void checkResults(Trainyard yard, Map<Integer, JsonNode> ended) throws Exception {
    String counted =
        IntStream.rangeClosed(1, 500).mapToObj(i -> i + "\n").collect(Collectors.joining());
    for (var job : ended.entrySet()) {
      int number = job.getKey();
      JsonNode found = job.getValue();
      String id = found.get("id").asText();
      assertThat(found.get("exitCode").asInt()).as(found.toString()).isEqualTo(exitCode(number));
      assertThat(found.get("state").asText())
          .as(found.toString())
          .isEqualTo(exitCode(number) == 0 ? "SUCCEEDED" : "FAILED");
      assertThat(yard.log(id, "stdout")).isEqualTo("begin " + number + "\n" + counted);
      assertThat(yard.log(id, "stderr")).isEqualTo("end\n");
    }
  }

  /** Returns the number of lines by job; fails if a run of a task appended two lines. */
  Map<Integer, Long> lines(Path home) throws IOException {
    List<String> lines = Files.readAllLines(home.resolve("lines"));
    assertThat(lines).doesNotHaveDuplicates();
    return lines.stream()
        .collect(
            Collectors.groupingBy(
                line -> numbers.get(line.substring(0, 26)), TreeMap::new, Collectors.counting()));
  }

  /** Checks that every job ran exactly once. */
  void checkOnce(Path home) throws IOException {
    Map<Integer, Long> expected = new TreeMap<>();
    numbers.values().forEach(number -> expected.put(number, 1L));
    assertThat(lines(home)).isEqualTo(expected);
  }

  /** Checks that no task has left anything on the host; waits until the cleanup has finished. */
  static void checkNothingLeft(Path data) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    List<String> left = leftovers(data);
    while (!left.isEmpty()) {
      assertThat(System.nanoTime()).as("left over: " + left).isLessThan(deadline);
      TimeUnit.MILLISECONDS.sleep(100);
      left = leftovers(data);
    }
  }

  private static List<String> leftovers(Path data) throws IOException {
    List<String> left = new ArrayList<>();
    for (String place : List.of("tasks", "trash")) {
      try (Stream<Path> files = Files.list(data.resolve(place))) {
        files.forEach(file -> left.add(file.toString()));
      }
    }
    left.addAll(groups(data));
    Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
        .filter(line -> line.contains(data.toString() + "/"))
        .forEach(left::add);
    Supervision.processesBelow(data.resolve("tasks")).forEach(pid -> left.add("process " + pid));
    return left;
  }

  private static List<String> groups(Path data) throws IOException {
    List<String> ids;
    try (Stream<Path> logs = Files.walk(data.resolve("logs"), 2)) {
      ids = logs.map(path -> path.getFileName().toString()).toList();
    }
    // Reads only names, because control groups of other servers may disappear at any time.
    List<String> left = new ArrayList<>();
    for (String controller : List.of("", "memory", "cpu", "pids")) {
      String[] groups = Path.of("/sys/fs/cgroup", controller, "trainyard").toFile().list();
      if (groups != null) {
        Stream.of(groups)
            .filter(group -> ids.stream().anyMatch(id -> id.length() >= 26 && group.contains(id)))
            .forEach(left::add);
      }
    }
    return left;
  }
}
