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

  /**
   * Minimum memory. Devices with less memory are integrated graphics processors, which are not
   * suitable for training.
   */
  private static final DataSize MIN_MEMORY = DataSize.ofMegabytes(1024);

  private static final int FIRST_RENDER_NODE = 128;

  private RocmSmi() {}

  public static List<Device> parse(JsonNode output) {
    List<Device> devices = new ArrayList<>();
    for (Map.Entry<String, JsonNode> cardEntry : output.properties()) {
      String cardNumber = cardEntry.getKey().replaceFirst("^card", "");
      DataSize memory = memory(field(cardEntry.getValue(), "vram total memory (b)"));
      if (cardNumber.matches("\\d+") && memory.compareTo(MIN_MEMORY) >= 0) {
        int index = Integer.parseInt(cardNumber);
        String bus = field(cardEntry.getValue(), "pci bus").toLowerCase(Locale.ROOT);
        devices.add(
            new Device(
                DeviceVendor.AMD,
                index,
                DeviceModel.normalize(DeviceVendor.AMD, field(cardEntry.getValue(), "card series")),
                memory,
                List.of(renderNode(bus, index))));
      }
    }
    return devices;
  }

  private static DataSize memory(String bytes) {
    return bytes.matches("\\d{1,18}") ? new DataSize(Long.parseLong(bytes)) : DataSize.ZERO;
  }

  private static String field(JsonNode cardEntry, String name) {
    for (Map.Entry<String, JsonNode> field : cardEntry.properties()) {
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
      // The link no longer exists; the number is derived from the index, as in the kernel.
    }
    return "/dev/dri/renderD" + (FIRST_RENDER_NODE + index);
  }
}
