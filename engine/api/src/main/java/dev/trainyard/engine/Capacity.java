package dev.trainyard.engine;

import dev.trainyard.model.AppException;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.Device;
import dev.trainyard.model.DeviceVendor;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Resources of a node as declared by an administrator ({@code --capacity}). Resources that are not
 * declared are discovered; but if any device is declared, all discovered devices are ignored.
 *
 * @param devices empty if no device was declared
 */
public record Capacity(
    OptionalInt cpus, Optional<DataSize> memory, Optional<List<Device>> devices) {
  private static final int MAX_NUMBER = 1_000_000_000;
  private static final int MAX_DEVICES = 1024;
  private static final Pattern DEVICE = Pattern.compile("(gpu|npu)(?::([a-z0-9._-]+))?");
  private static final Pattern AMD_MODEL = Pattern.compile("(mi|rx|radeon)\\d.*");

  /**
   * Parses a declaration such as {@code cpu=16,memoryMB=65536,gpu:a100=8,npu=4}.
   *
   * @throws AppException with all problems of the text
   */
  public static Capacity parse(String text) {
    Parser parser = new Parser();
    for (String declaration : text.split(",", -1)) {
      parser.read(declaration.strip());
    }
    return parser.build(text);
  }

  /** Collects the declared resources and the problems. */
  private static final class Parser {
    private final Set<String> names = new HashSet<>();
    private final List<Problem> problems = new ArrayList<>();
    private final List<Device> devices = new ArrayList<>();
    private final Map<DeviceVendor, Integer> nextIndices = new HashMap<>();
    private OptionalInt cpus = OptionalInt.empty();
    private Optional<DataSize> memory = Optional.empty();
    private boolean declaresDevices;

    void read(String declaration) {
      int equalsSign = declaration.indexOf('=');
      if (equalsSign <= 0) {
        addProblem("config.capacity-form", "text", declaration);
        return;
      }
      String name = declaration.substring(0, equalsSign).strip();
      String number = declaration.substring(equalsSign + 1).strip();
      if (!names.add(name.toLowerCase(Locale.ROOT))) {
        addProblem("config.capacity-twice", "name", name);
      } else if (name.equalsIgnoreCase("cpu")) {
        cpus = parseNumber(name, number, 1, MAX_NUMBER);
      } else if (name.equalsIgnoreCase("memoryMB")) {
        OptionalInt megabytes = parseNumber(name, number, 1, MAX_NUMBER);
        memory = megabytes.stream().mapToObj(DataSize::ofMegabytes).findFirst();
      } else {
        readDevices(name, number);
      }
    }

    private void readDevices(String name, String number) {
      var matcher = DEVICE.matcher(name.toLowerCase(Locale.ROOT));
      if (!matcher.matches()) {
        addProblem("config.capacity-name", "name", name);
        return;
      }
      declaresDevices = true;
      String model = matcher.group(2) == null ? "" : matcher.group(2);
      DeviceVendor vendor = vendor(matcher.group(1), model);
      parseNumber(name, number, 0, MAX_DEVICES)
          .ifPresent(
              count -> {
                for (int i = 0; i < count; i++) {
                  add(vendor, model);
                }
              });
    }

    private static DeviceVendor vendor(String kind, String model) {
      if (kind.equals("npu")) {
        return DeviceVendor.ASCEND;
      }
      return AMD_MODEL.matcher(model).matches() ? DeviceVendor.AMD : DeviceVendor.NVIDIA;
    }

    private void add(DeviceVendor vendor, String model) {
      int index = nextIndices.merge(vendor, 1, Integer::sum) - 1;
      String node =
          switch (vendor) {
            case NVIDIA -> "/dev/nvidia" + index;
            case ASCEND -> "/dev/davinci" + index;
            case AMD -> "/dev/dri/renderD" + (128 + index);
          };
      devices.add(new Device(vendor, index, model, DataSize.ZERO, List.of(node)));
    }

    private OptionalInt parseNumber(String name, String text, int min, int max) {
      if (text.matches("\\d{1,9}|1000000000")) {
        int value = Integer.parseInt(text);
        if (value >= min && value <= max) {
          return OptionalInt.of(value);
        }
      }
      Message message =
          Message.of("config.capacity-number", "name", name)
              .with("text", text)
              .with("min", min)
              .with("max", max);
      problems.add(Problem.at("capacity", message));
      return OptionalInt.empty();
    }

    private void addProblem(String code, String param, String value) {
      problems.add(Problem.at("capacity", Message.of(code, param, value)));
    }

    Capacity build(String text) {
      if (!problems.isEmpty()) {
        throw new AppException(
            ErrorCode.BAD_REQUEST, Message.of("config.capacity", "text", text), problems);
      }
      return new Capacity(
          cpus, memory, declaresDevices ? Optional.of(List.copyOf(devices)) : Optional.empty());
    }
  }
}
