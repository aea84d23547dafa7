package dev.trainyard.jobfile;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Values the way JavaScript, and with it OpenPAI, writes them into a text. Each list is written
 * once: a small file may quote one again and again that takes much longer to write than its text is
 * long, as one of references to lists of lists. Safe for several threads.
 */
final class ScriptTexts {
  private final IdentityHashMap<List<?>, String> lists = new IdentityHashMap<>();

  String text(Object value) {
    return switch (value) {
      case String text -> text; // never copied: a large one may be asked for very often
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

  /** Items by comma, lists in lists as if they were one. */
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
