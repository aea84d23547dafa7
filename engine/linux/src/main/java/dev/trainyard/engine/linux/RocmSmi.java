package dev.trainyard.engine.linux;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.Device;
import dev.trainyard.model.DeviceVendor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Parses the output of {@code rocm-smi}, whose field names changed case between versions. */
public final class RocmSmi {
  public static final List<String> COMMAND =
      List.of("rocm-smi", "--showproductname", "--showmeminfo", "vram", "--showbus", "--json");

  /** Smaller devices are integrated graphics processors, which are not suitable for training. */
  private static final DataSize SMALLEST = DataSize.ofMegabytes(1024);

  private static final int FIRST_RENDER_NODE = 128;

  private RocmSmi() {}

  public static List<Device> parse(JsonNode output) {
    List<Device> devices = new ArrayList<>();
    for (Map.Entry<String, JsonNode> card : output.properties()) {
      String digits = card.getKey().replaceFirst("^card", "");
      DataSize memory = memory(field(card.getValue(), "vram total memory (b)"));
      if (digits.matches("\\d+") && memory.compareTo(SMALLEST) >= 0) {
        int index = Integer.parseInt(digits);
        String bus = field(card.getValue(), "pci bus").toLowerCase(Locale.ROOT);
        devices.add(
            new Device(
                DeviceVendor.AMD,
                index,
                DeviceModel.normalise(DeviceVendor.AMD, field(card.getValue(), "card series")),
                memory,
                List.of(renderNode(bus, index))));
      }
    }
    return devices;
  }

  private static DataSize memory(String bytes) {
    return bytes.matches("\\d{1,18}") ? new DataSize(Long.parseLong(bytes)) : DataSize.ZERO;
  }

  private static String field(JsonNode card, String name) {
    for (Map.Entry<String, JsonNode> field : card.properties()) {
      if (field.getKey().toLowerCase(Locale.ROOT).equals(name)) {
        return field.getValue().asText();
      }
    }
    return "";
  }

  private static String renderNode(String bus, int index) {
    Path link = Path.of("/dev/dri/by-path/pci-" + bus + "-render");
    try {
      if (!bus.isEmpty() && Files.exists(link)) {
        return link.toRealPath().toString();
      }
    } catch (IOException e) {
      // no longer exists: count as the kernel does
    }
    return "/dev/dri/renderD" + (FIRST_RENDER_NODE + index);
  }
}
