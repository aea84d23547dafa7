package dev.trainyard.engine.linux;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.trainyard.model.Device;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Discovers devices with the vendors' tools. A missing tool means that there are no devices of that
 * vendor. A tool that fails produces a warning only, because a broken driver must not prevent the
 * server from starting.
 */
public final class DeviceDiscovery {
  private final List<Path> directories;
  private final Path proc;
  private final Duration timeout;

  /**
   * @param toolPath directories of the tools, separated as in PATH
   * @param proc the directory where the NVIDIA driver describes its devices
   */
  public DeviceDiscovery(String toolPath, Path proc, Duration timeout) {
    directories =
        List.of(toolPath.split(":")).stream().filter(d -> !d.isEmpty()).map(Path::of).toList();
    this.proc = proc;
    this.timeout = timeout;
  }

  /** The devices found, and a warning for each tool that failed. */
  public record Result(List<Device> devices, List<String> warnings) {}

  private interface OutputParser {
    List<Device> parse(String output) throws JsonProcessingException;
  }

  public Result find() {
    List<Device> devices = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    addDevices(devices, warnings, output -> NvidiaSmi.parse(output, proc), NvidiaSmi.COMMAND);
    addDevices(devices, warnings, NpuSmi::parse, NpuSmi.COMMAND);
    addDevices(
        devices,
        warnings,
        output -> RocmSmi.parse(new ObjectMapper().readTree(output)),
        RocmSmi.COMMAND);
    return new Result(List.copyOf(devices), List.copyOf(warnings));
  }

  private void addDevices(
      List<Device> devices, List<String> warnings, OutputParser parser, List<String> command) {
    Optional<Path> tool = findTool(command.getFirst());
    if (tool.isEmpty()) {
      return;
    }
    List<String> toolCommand = new ArrayList<>(command);
    toolCommand.set(0, tool.get().toString());
    try {
      devices.addAll(parser.parse(runTool(toolCommand)));
    } catch (IOException | IllegalArgumentException e) {
      warnings.add(command.getFirst() + ": " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Optional<Path> findTool(String name) {
    return directories.stream()
        .map(directory -> directory.resolve(name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private String runTool(List<String> command) throws IOException, InterruptedException {
    Path file = Files.createTempFile("trainyard-devices", ".txt");
    try {
      // The output is written to a file, because a tool that hangs in the driver would keep a pipe
      // open forever.
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(file.toFile())
              .start();
      if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
        throw new IOException("no response within " + timeout.toSeconds() + " seconds");
      }
      String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
      if (process.exitValue() != 0) {
        throw new IOException(
            "exit code " + process.exitValue() + ", " + text.lines().findFirst().orElse(""));
      }
      return text;
    } finally {
      Files.delete(file);
    }
  }
}
