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
  private final Duration patience;

  /**
   * @param toolPath directories of the tools, separated as in PATH
   * @param proc the directory where the NVIDIA driver describes its devices
   */
  public DeviceDiscovery(String toolPath, Path proc, Duration patience) {
    directories =
        List.of(toolPath.split(":")).stream().filter(d -> !d.isEmpty()).map(Path::of).toList();
    this.proc = proc;
    this.patience = patience;
  }

  /** The devices found, and a warning for each tool that failed. */
  public record Found(List<Device> devices, List<String> warnings) {}

  private interface Reader {
    List<Device> read(String output) throws JsonProcessingException;
  }

  public Found find() {
    List<Device> devices = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    ask(devices, warnings, output -> NvidiaSmi.parse(output, proc), NvidiaSmi.COMMAND);
    ask(devices, warnings, NpuSmi::parse, NpuSmi.COMMAND);
    ask(
        devices,
        warnings,
        output -> RocmSmi.parse(new ObjectMapper().readTree(output)),
        RocmSmi.COMMAND);
    return new Found(List.copyOf(devices), List.copyOf(warnings));
  }

  private void ask(
      List<Device> devices, List<String> warnings, Reader reader, List<String> command) {
    Optional<Path> tool = tool(command.getFirst());
    if (tool.isEmpty()) {
      return;
    }
    List<String> line = new ArrayList<>(command);
    line.set(0, tool.get().toString());
    try {
      devices.addAll(reader.read(output(line)));
    } catch (IOException | IllegalArgumentException e) {
      warnings.add(command.getFirst() + ": " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Optional<Path> tool(String name) {
    return directories.stream()
        .map(directory -> directory.resolve(name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private String output(List<String> command) throws IOException, InterruptedException {
    Path file = Files.createTempFile("trainyard-devices", ".txt");
    try {
      // Writes to a file because a tool that hangs in the driver would keep a pipe open forever.
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(file.toFile())
              .start();
      if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
        throw new IOException("no response within " + patience.toSeconds() + " seconds");
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
