package dev.trainyard.engine.linux;

import dev.trainyard.model.DataSize;
import dev.trainyard.model.Device;
import dev.trainyard.model.DeviceVendor;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses the table of {@code npu-smi info}. Each chip has two lines: first card and name; then
 * chip, in some versions its number among all chips, and memory.
 */
public final class NpuSmi {
  public static final List<String> COMMAND = List.of("npu-smi", "info");

  private static final Pattern CARD =
      Pattern.compile("\\|\\s*(\\d+)\\s+([A-Za-z]*\\d{3}\\S*)\\s*\\|.*");
  private static final Pattern CHIP =
      Pattern.compile(
          "\\|\\s*(\\d+)(?:\\s+(\\d+))?\\s*\\|\\s*\\w*:?\\w+:\\w+\\.\\w+\\s*\\|(.*)\\|?");
  private static final Pattern USED_OF = Pattern.compile("\\d+\\s*/\\s*(\\d+)");

  private NpuSmi() {}

  public static List<Device> parse(String output) {
    List<Device> devices = new ArrayList<>();
    String name = "";
    int card = 0;
    for (String line : output.lines().map(String::strip).toList()) {
      Matcher first = CARD.matcher(line);
      Matcher second = CHIP.matcher(line);
      if (second.matches() && !name.isEmpty()) {
        devices.add(device(name, index(second, card, devices.size()), second.group(3)));
        name = "";
      } else if (first.matches()) {
        card = Integer.parseInt(first.group(1));
        name = first.group(2);
      }
    }
    return devices;
  }

  /**
   * If the output has no global chip number, the only chip of a card gets the number of the card;
   * otherwise chips are counted.
   */
  private static int index(Matcher chip, int card, int before) {
    if (chip.group(2) != null) {
      return Integer.parseInt(chip.group(2));
    }
    boolean oneChipPerCard = card >= before;
    return oneChipPerCard ? card : before;
  }

  private static Device device(String name, int index, String usage) {
    long memory = 0;
    Matcher pair = USED_OF.matcher(usage);
    while (pair.find()) { // ordinary memory and HBM; a card has one of them
      memory = Math.max(memory, Long.parseLong(pair.group(1)));
    }
    return new Device(
        DeviceVendor.ASCEND,
        index,
        DeviceModel.normalise(DeviceVendor.ASCEND, name),
        DataSize.ofMegabytes(memory),
        List.of("/dev/davinci" + index));
  }
}
