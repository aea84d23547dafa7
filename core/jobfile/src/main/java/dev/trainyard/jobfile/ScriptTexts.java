package dev.trainyard.jobfile;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Formats values like JavaScript, and therefore OpenPAI, does. Each list is formatted only once: a
 * small file may repeatedly quote a list that takes much longer to format than its text is long,
 * such as references to lists of lists. Thread-safe.
 */
final class ScriptTexts {
  private final IdentityHashMap<List<?>, String> lists = new IdentityHashMap<>();

  String text(Object value) {
    return switch (value) {
      case String text -> text; // never copied, because a large one may be requested very often
      case List<?> list -> text(list);
      case null, default -> written(value);
    };
  }

  private synchronized String text(List<?> list) {
    return lists.computeIfAbsent(list, ScriptTexts::written);
  }

  private static String written(Object value) {
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
      case Double number -> text.append(ScriptNumbers.text(number));
      default -> text.append(value);
    }
  }
}
