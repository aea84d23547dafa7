package dev.trainyard.engine.process;

import dev.trainyard.engine.EngineException;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.Isolation;
import dev.trainyard.model.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** This machine as a node. */
final class ThisMachine {
  private ThisMachine() {}

  static Node describe(ProcessEngineConfig config, boolean limited) {
    try {
      String name = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
      Isolation isolation =
          new Isolation(
              Isolation.Level.PRIVATE,
              Isolation.Level.PRIVATE,
              Isolation.Level.NONE,
              limited ? Isolation.Level.PRIVATE : Isolation.Level.NONE);
      return new Node(
          name,
          Runtime.getRuntime().availableProcessors(),
          memory(),
          List.of(),
          Map.of(),
          isolation);
    } catch (IOException e) {
      throw new EngineException("this machine can't be described: " + e.getMessage(), e);
    }
  }

  private static DataSize memory() throws IOException {
    String line =
        Files.readAllLines(Path.of("/proc/meminfo")).stream()
            .filter(text -> text.startsWith("MemTotal:"))
            .findFirst()
            .orElseThrow();
    return new DataSize(Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024);
  }
}
