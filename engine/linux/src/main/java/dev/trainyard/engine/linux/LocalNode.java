package dev.trainyard.engine.linux;

import dev.trainyard.engine.Capacity;
import dev.trainyard.engine.EngineException;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.Isolation;
import dev.trainyard.model.Message;
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
   * This host as a node.
   *
   * @param warnings reasons why devices could not be discovered
   */
  public record Description(Node node, List<Message> warnings) {}

  /**
   * @param declared resources that the administrator declared for this host
   * @param toolPath directories with the vendors' tools, separated as in PATH
   */
  public static Description describe(
      Optional<Capacity> declared, String toolPath, Isolation isolation) {
    try {
      String name = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
      int availableCpus = Runtime.getRuntime().availableProcessors();
      int cpus =
          declared.map(capacity -> capacity.cpus().orElse(availableCpus)).orElse(availableCpus);
      DataSize memory = declared.flatMap(Capacity::memory).orElse(memory());
      DeviceDiscovery.Result devices =
          declared
              .flatMap(Capacity::devices)
              .map(known -> new DeviceDiscovery.Result(known, List.of()))
              .orElseGet(() -> discover(toolPath));
      Map<String, String> labels = Map.of("arch", SystemCall.ARM ? "arm64" : "amd64");
      return new Description(
          new Node(name, cpus, memory, devices.devices(), labels, isolation),
          devices.warnings().stream()
              .map(warning -> Message.of("notice.device-discovery", "detail", warning))
              .toList());
    } catch (IOException e) {
      throw new EngineException("host discovery failed: " + e.getMessage(), e);
    }
  }

  private static DeviceDiscovery.Result discover(String toolPath) {
    var discovered = new DeviceDiscovery(toolPath, Path.of("/proc"), TOOL_TIMEOUT).find();
    discovered.warnings().forEach(warning -> LOG.warn("device discovery failed: {}", warning));
    return discovered;
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
