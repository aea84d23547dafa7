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

  /** Words for the form factor and the memory size, which are not part of the model name. */
  private static final Pattern VARIANT =
      Pattern.compile("sxm\\d*|pcie|nvl\\d*|hbm\\d*\\w*|\\d+gb|oam");

  private static final Pattern ASCEND = Pattern.compile("(?:ascend)?\\s*(\\d{3}p?)");
  private static final Pattern IN_BRACKETS = Pattern.compile("\\[([^]]*)]");

  private DeviceModel() {}

  public static String normalize(DeviceVendor vendor, String name) {
    String lower = name.toLowerCase(Locale.ROOT).strip();
    return switch (vendor) {
      case NVIDIA -> joinModelWords(lower);
      case AMD -> amdModel(lower);
      case ASCEND -> {
        Matcher matcher = ASCEND.matcher(lower);
        yield matcher.lookingAt() ? "ascend" + matcher.group(1) : joinModelWords(lower);
      }
    };
  }

  /**
   * Returns the model of the first product. AMD names consist of the chip and, in brackets, the
   * products that use it: "Navi 21 [Radeon RX 6800/6800 XT / 6900 XT]".
   */
  private static String amdModel(String name) {
    Matcher brackets = IN_BRACKETS.matcher(name);
    String products = brackets.find() ? brackets.group(1) : name;
    int separator = products.indexOf('/');
    return joinModelWords(separator < 0 ? products : products.substring(0, separator));
  }

  private static String joinModelWords(String name) {
    return List.of(name.split("[\\s-]+")).stream()
        .filter(word -> !BRANDS.contains(word))
        .filter(word -> !VARIANT.matcher(word).matches())
        .collect(Collectors.joining());
  }
}
