package dev.trainyard.jobfile;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Converts integers in quotes to numbers, as OpenPAI does for the number fields of v1 files. */
public final class QuotedNumbers {
  private static final Set<String> NUMBERS =
      Set.of(
          "retryCount",
          "killAllOnCompletedTaskNumber",
          "taskNumber",
          "cpuNumber",
          "memoryMB",
          "shmMB",
          "gpuNumber",
          "beginAt",
          "portNumber",
          "minFailedTaskCount",
          "minSucceededTaskCount");

  private static final Set<String> LISTS = Set.of("taskRoles", "portList");
  private static final Pattern INTEGER = Pattern.compile("-?[0-9]{1,10}");

  private QuotedNumbers() {}

  /** Returns whether a field of a v1 file, of a role or of a port is a number. */
  public static boolean isNumberField(String name) {
    return NUMBERS.contains(name);
  }

  /** Returns a v1 file, or a role or port of one, with its quoted numbers converted. */
  static DocumentValue.Table convert(DocumentValue.Table table) {
    Map<String, DocumentValue> fields = new LinkedHashMap<>();
    table.fields().forEach((name, value) -> fields.put(name, convert(name, value)));
    return new DocumentValue.Table(fields, table.position());
  }

  private static DocumentValue convert(String name, DocumentValue value) {
    return switch (value) {
      case DocumentValue.Text text
          when isNumberField(name) && INTEGER.matcher(text.value()).matches() ->
          new DocumentValue.Numeral(text.value(), true, text.position());
      case DocumentValue.Items items when LISTS.contains(name) ->
          new DocumentValue.Items(convert(items.values()), items.position());
      default -> value;
    };
  }

  private static List<DocumentValue> convert(List<DocumentValue> items) {
    return items.stream()
        .map(item -> item instanceof DocumentValue.Table table ? convert(table) : item)
        .toList();
  }
}
