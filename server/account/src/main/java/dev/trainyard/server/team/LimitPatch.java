package dev.trainyard.server.team;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.model.Message;
import dev.trainyard.scheduler.Quota;
import dev.trainyard.server.http.Fields;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Applies the changes of quotas and limits in a request: a number sets a value, null removes a
 * value, and values that are omitted stay unchanged. Problems are added to the {@link Fields} of
 * the request.
 */
final class LimitPatch {
  private static final long MAX_VALUE = 1_000_000_000_000L;
  private static final int MAX_TYPES = 100;
  private static final Pattern TYPE = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");

  private final Fields fields;
  private final String path;
  private final long minimum;

  /**
   * @param path path of the patch in the request; empty if the patch is the whole request
   */
  private LimitPatch(Fields fields, String path, long minimum) {
    this.fields = fields;
    this.path = path;
    this.minimum = minimum;
  }

  static Quota quota(Fields fields, String path, JsonNode patch, Quota before) {
    LimitPatch change = new LimitPatch(fields, path, 0);
    Quota after = before;
    for (var field : patch.properties()) {
      String name = field.getKey();
      JsonNode value = field.getValue();
      after =
          switch (name) {
            case "cpus" -> copy(after, change.number(name, value), after.memory(), after.devices());
            case "memoryMB" ->
                copy(after, after.cpus(), change.number(name, value), after.devices());
            case "devices" -> copy(after, after.cpus(), after.memory(), change.number(name, value));
            case "deviceTypes" -> change.patchDeviceTypes(value, after);
            default -> change.reportUnknown(name, after);
          };
    }
    return after;
  }

  private static Quota copy(
      Quota quota, OptionalLong cpus, OptionalLong memory, OptionalLong devices) {
    return new Quota(quota.jobs(), cpus, memory, devices, quota.deviceTypes());
  }

  private Quota patchDeviceTypes(JsonNode value, Quota before) {
    Map<String, Long> types = new TreeMap<>(value.isNull() ? Map.of() : before.deviceTypes());
    if (!value.isNull() && !value.isObject()) {
      problem("deviceTypes", Message.of("error.field-type", "type", "object"));
      return before;
    }
    for (var field : value.properties()) {
      String type = field.getKey().replace(" ", "").toLowerCase(Locale.ROOT);
      if (!TYPE.matcher(type).matches()) {
        problem("deviceTypes", Message.of("error.device-type", "type", field.getKey()));
        continue;
      }
      OptionalLong number = number("deviceTypes." + type, field.getValue());
      types.remove(type);
      number.ifPresent(limit -> types.put(type, limit));
    }
    if (types.size() > MAX_TYPES) {
      problem("deviceTypes", Message.of("error.too-many-items", "most", MAX_TYPES));
      return before;
    }
    return new Quota(before.jobs(), before.cpus(), before.memory(), before.devices(), types);
  }

  static Limits limits(Fields fields, String path, JsonNode patch, Limits before) {
    LimitPatch change = new LimitPatch(fields, path, Limits.UNLIMITED);
    Map<Limit, Long> values = new EnumMap<>(Limit.class);
    values.putAll(before.values());
    for (var field : patch.properties()) {
      Limit limit = null;
      for (Limit candidate : Limit.values()) {
        limit = candidate.label().equals(field.getKey()) ? candidate : limit;
      }
      if (limit == null) {
        change.reportUnknown(field.getKey(), before);
        continue;
      }
      values.remove(limit);
      OptionalLong number = change.number(field.getKey(), field.getValue());
      if (number.isPresent()) {
        values.put(limit, number.getAsLong());
      }
    }
    return new Limits(values);
  }

  private OptionalLong number(String name, JsonNode value) {
    if (value.isNull()) {
      return OptionalLong.empty();
    }
    if (!value.isIntegralNumber()
        || !value.canConvertToLong()
        || value.longValue() < minimum
        || value.longValue() > MAX_VALUE) {
      problem(name, Message.of("error.limit-number", "least", minimum).with("most", MAX_VALUE));
      return OptionalLong.empty();
    }
    return OptionalLong.of(value.longValue());
  }

  private <T> T reportUnknown(String name, T unchanged) {
    problem(name, Message.of("error.field-unknown"));
    return unchanged;
  }

  private void problem(String name, Message message) {
    fields.addProblem(path.isEmpty() ? name : path + "." + name, message);
  }
}
