package dev.trainyard.engine.linux;

import dev.trainyard.model.DataSize;
import dev.trainyard.model.Device;
import dev.trainyard.model.DeviceVendor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Parses the output of {@code nvidia-smi}. */
public final class NvidiaSmi {
  public static final List<String> COMMAND =
      List.of(
          "nvidia-smi",
          "--query-gpu=index,name,memory.total,uuid,pci.bus_id",
          "--format=csv,noheader,nounits");

  private static final int COLUMNS = 5;

  private NvidiaSmi() {}

  public static List<Device> parse(String output, Path proc) {
    List<Device> devices = new ArrayList<>();
    for (String line : output.lines().toList()) {
      String[] columns = line.split(",", -1);
      // Some versions print "No devices were found" with exit code 0.
      if (columns.length == COLUMNS && columns[0].strip().matches("\\d+")) {
        int index = Integer.parseInt(columns[0].strip());
        String memory = columns[2].strip();
        // Devices that share the host's memory print "[N/A]" here.
        long megabytes = memory.matches("\\d+") ? Long.parseLong(memory) : 0;
        devices.add(
            new Device(
                DeviceVendor.NVIDIA,
                index,
                DeviceModel.normalize(DeviceVendor.NVIDIA, columns[1]),
                DataSize.ofMegabytes(megabytes),
                List.of("/dev/nvidia" + minorNumber(columns[4].strip(), index, proc))));
      }
    }
    return devices;
  }

  /**
   * Returns the minor number of the device file, which the driver assigns and which may differ from
   * the index of the tool.
   */
  private static int minorNumber(String busId, int index, Path proc) {
    String shortBusId = busId.length() > 12 ? busId.substring(busId.length() - 12) : busId;
    Path file =
        proc.resolve("driver/nvidia/gpus")
            .resolve(shortBusId.toLowerCase(Locale.ROOT))
            .resolve("information");
    try {
      return Files.readAllLines(file).stream()
          .filter(line -> line.startsWith("Device Minor:"))
          .map(line -> Integer.parseInt(line.replaceAll("\\D", "")))
          .findFirst()
          .orElse(index);
    } catch (IOException e) {
      return index;
    }
  }
}
