package dev.trainyard.engine.linux;

import dev.trainyard.model.DeviceVendor;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Converts the device names that vendors' tools print to the names that users write in job files.
 */
public final class DeviceModel {
  private static final Set<String> BRANDS =
      Set.of(
          "nvidia", "geforce", "tesla", "quadro", "graphics", "gpu", "amd", "radeon", "instinct");

  /** Form factor and memory size, which are not part of the model name. */
  private static final Pattern BUILD =
      Pattern.compile("sxm\\d*|pcie|nvl\\d*|hbm\\d*\\w*|\\d+gb|oam");

  private static final Pattern ASCEND = Pattern.compile("(?:ascend)?\\s*(\\d{3}p?)");
  private static final Pattern IN_BRACKETS = Pattern.compile("\\[([^]]*)]");

  private DeviceModel() {}

  public static String normalise(DeviceVendor vendor, String name) {
    String lower = name.toLowerCase(Locale.ROOT).strip();
    return switch (vendor) {
      case NVIDIA -> words(lower);
      case AMD -> amd(lower);
      case ASCEND -> {
        Matcher matcher = ASCEND.matcher(lower);
        yield matcher.lookingAt() ? "ascend" + matcher.group(1) : words(lower);
      }
    };
  }

  /**
   * Parses names such as "Navi 21 [Radeon RX 6800/6800 XT / 6900 XT]": the chip, followed by the
   * products that use it.
   */
  private static String amd(String name) {
    Matcher brackets = IN_BRACKETS.matcher(name);
    String cards = brackets.find() ? brackets.group(1) : name;
    int more = cards.indexOf('/');
    return words(more < 0 ? cards : cards.substring(0, more));
  }

  private static String words(String name) {
    return List.of(name.split("[\\s-]+")).stream()
        .filter(word -> !BRANDS.contains(word))
        .filter(word -> !BUILD.matcher(word).matches())
        .collect(Collectors.joining());
  }
}
