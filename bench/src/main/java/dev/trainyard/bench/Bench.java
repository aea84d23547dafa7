package dev.trainyard.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs the measurements whose names are the arguments, or all measurements, and prints a table for
 * each. docs/benchmarks.md contains the tables.
 */
public final class Bench {
  private Bench() {}

  /** A measurement that prints its own table. */
  interface Measurement {
    void run(Path directory) throws Exception;
  }

  public static void main(String[] names) throws Exception {
    Map<String, Measurement> measurements = new LinkedHashMap<>();
    measurements.put("start", new StartBench());
    measurements.put("cli", new CommandLineBench());
    measurements.put("first-line", new FirstLineBench());
    measurements.put("submit", new SubmitBench());
    measurements.put("list", new ListBench());
    measurements.put("search", new SearchBench());
    measurements.put("large-job", new LargeJobBench());
    measurements.put("engine", new EngineBench());
    measurements.put("throughput", new ThroughputBench());
    measurements.put("docker", new DockerBench());
    measurements.put("web", new WebBench());
    measurements.put("fairness", new FairnessBench());
    List<String> selectedNames =
        names.length == 0 ? List.copyOf(measurements.keySet()) : List.of(names);
    for (String name : selectedNames) {
      if (!measurements.containsKey(name)) {
        System.err.println(
            "unknown measurement " + name + "; available measurements: " + measurements.keySet());
        System.exit(2);
      }
    }
    Path directory = Files.createTempDirectory("trainyard-bench");
    try {
      for (String name : selectedNames) {
        System.out.println("\n### " + name + "\n");
        measurements.get(name).run(Files.createDirectories(directory.resolve(name)));
      }
    } finally {
      new ProcessBuilder("rm", "-rf", directory.toString()).inheritIO().start().waitFor();
    }
  }
}
