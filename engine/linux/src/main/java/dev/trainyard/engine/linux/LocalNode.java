package dev.trainyard.engine.linux;

import dev.trainyard.engine.Capacity;
import dev.trainyard.engine.EngineException;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.Device;
import dev.trainyard.model.Isolation;
import dev.trainyard.model.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Describes this host as a node. Resources that are not declared are discovered. */
public final class LocalNode {
  private static final Logger LOG = LoggerFactory.getLogger(LocalNode.class);
  private static final Duration TOOL_TIMEOUT = Duration.ofSeconds(20);

  private LocalNode() {}

  /**
   * @param declared resources that the administrator declared for this host
   * @param toolPath directories with the vendors' tools, separated as in PATH
   */
  public static Node describe(Optional<Capacity> declared, String toolPath, Isolation isolation) {
    try {
      String name = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
      int availableCpus = Runtime.getRuntime().availableProcessors();
      int cpus =
          declared.map(capacity -> capacity.cpus().orElse(availableCpus)).orElse(availableCpus);
      DataSize memory = declared.flatMap(Capacity::memory).orElse(memory());
      List<Device> devices = declared.flatMap(Capacity::devices).orElseGet(() -> devices(toolPath));
      Map<String, String> labels = Map.of("arch", SystemCall.ARM ? "arm64" : "amd64");
      return new Node(name, cpus, memory, devices, labels, isolation);
    } catch (IOException e) {
      throw new EngineException("host discovery failed: " + e.getMessage(), e);
    }
  }

  private static List<Device> devices(String toolPath) {
    var discovered = new DeviceDiscovery(toolPath, Path.of("/proc"), TOOL_TIMEOUT).find();
    discovered.warnings().forEach(warning -> LOG.warn("device discovery failed: {}", warning));
    return discovered.devices();
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
