package dev.trainyard.engine.linux;

import dev.trainyard.model.DataSize;
import dev.trainyard.model.Device;
import dev.trainyard.model.DeviceVendor;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses the table of {@code npu-smi info}. Each chip has two lines: the first contains the card
 * and its name; the second contains the chip, in some versions its number among all chips, and the
 * memory.
 */
public final class NpuSmi {
  public static final List<String> COMMAND = List.of("npu-smi", "info");

  private static final Pattern CARD =
      Pattern.compile("\\|\\s*(\\d+)\\s+([A-Za-z]*\\d{3}\\S*)\\s*\\|.*");
  private static final Pattern CHIP =
      Pattern.compile(
          "\\|\\s*(\\d+)(?:\\s+(\\d+))?\\s*\\|\\s*\\w*:?\\w+:\\w+\\.\\w+\\s*\\|(.*)\\|?");
  private static final Pattern USED_AND_TOTAL = Pattern.compile("\\d+\\s*/\\s*(\\d+)");

  private NpuSmi() {}

  public static List<Device> parse(String output) {
    List<Device> devices = new ArrayList<>();
    String name = "";
    int card = 0;
    for (String line : output.lines().map(String::strip).toList()) {
      Matcher cardLine = CARD.matcher(line);
      Matcher chipLine = CHIP.matcher(line);
      if (chipLine.matches() && !name.isEmpty()) {
        devices.add(device(name, index(chipLine, card, devices.size()), chipLine.group(3)));
        name = "";
      } else if (cardLine.matches()) {
        card = Integer.parseInt(cardLine.group(1));
        name = cardLine.group(2);
      }
    }
    return devices;
  }

  /**
   * Returns the index of a chip. If the output has no global chip number, the only chip of a card
   * gets the number of the card; if cards have several chips, the chips are counted.
   */
  private static int index(Matcher chip, int card, int deviceCount) {
    if (chip.group(2) != null) {
      return Integer.parseInt(chip.group(2));
    }
    boolean oneChipPerCard = card >= deviceCount;
    return oneChipPerCard ? card : deviceCount;
  }

  private static Device device(String name, int index, String usage) {
    long memory = 0;
    Matcher memoryUsage = USED_AND_TOTAL.matcher(usage);
    while (memoryUsage
        .find()) { // one pair for ordinary memory and one for HBM; a card has one of them
      memory = Math.max(memory, Long.parseLong(memoryUsage.group(1)));
    }
    return new Device(
        DeviceVendor.ASCEND,
        index,
        DeviceModel.normalize(DeviceVendor.ASCEND, name),
        DataSize.ofMegabytes(memory),
        List.of("/dev/davinci" + index));
  }
}
