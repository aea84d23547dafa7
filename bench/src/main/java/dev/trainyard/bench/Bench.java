package dev.trainyard.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs the given measurements, or all, and prints a table of each for docs/benchmarks.md. */
public final class Bench {
  private Bench() {}

  /** A measurement that prints its own table. */
  interface Measurement {
    void run(Path directory) throws Exception;
  }

  public static void main(String[] names) throws Exception {
    Map<String, Measurement> all = new LinkedHashMap<>();
    all.put("start", new StartBench());
    all.put("cli", new CommandLineBench());
    all.put("first-line", new FirstLineBench());
    all.put("submit", new SubmitBench());
    all.put("list", new ListBench());
    all.put("search", new SearchBench());
    all.put("large-job", new LargeJobBench());
    all.put("engine", new EngineBench());
    all.put("throughput", new ThroughputBench());
    all.put("docker", new DockerBench());
    all.put("web", new WebBench());
    all.put("fairness", new FairnessBench());
    List<String> chosen = names.length == 0 ? List.copyOf(all.keySet()) : List.of(names);
    for (String name : chosen) {
      if (!all.containsKey(name)) {
        System.err.println("no measurement " + name + "; there are " + all.keySet());
        System.exit(2);
      }
    }
    Path directory = Files.createTempDirectory("trainyard-bench");
    try {
      for (String name : chosen) {
        System.out.println("\n### " + name + "\n");
        all.get(name).run(Files.createDirectories(directory.resolve(name)));
      }
    } finally {
      new ProcessBuilder("rm", "-rf", directory.toString()).inheritIO().start().waitFor();
    }
  }
}
