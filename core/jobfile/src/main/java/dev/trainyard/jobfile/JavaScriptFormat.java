package dev.trainyard.jobfile;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Formats values like JavaScript, and therefore OpenPAI, does. Each list is formatted only once,
 * because a small file may refer repeatedly to a list that takes long to format, such as a list of
 * aliases of lists. This class is thread-safe.
 */
final class JavaScriptFormat {
  private final IdentityHashMap<List<?>, String> formattedLists = new IdentityHashMap<>();

  String format(Object value) {
    return switch (value) {
      case String text -> text; // not copied, because a long text may be requested very often
      case List<?> list -> format(list);
      case null, default -> formatUncached(value);
    };
  }

  private synchronized String format(List<?> list) {
    return formattedLists.computeIfAbsent(list, JavaScriptFormat::formatUncached);
  }

  private static String formatUncached(Object value) {
    StringBuilder text = new StringBuilder();
    write(value, text);
    return text.toString();
  }

  /** Separates items by commas; nested lists are flattened. */
  private static void write(Object value, StringBuilder text) {
    switch (value) {
      case null -> {}
      case Map<?, ?> _ -> {}
      case List<?> list -> {
        for (int i = 0; i < list.size(); i++) {
          if (i > 0) {
            text.append(',');
          }
          write(list.get(i), text);
        }
      }
      case Double number -> text.append(JavaScriptNumbers.format(number));
      default -> text.append(value);
    }
  }
}
