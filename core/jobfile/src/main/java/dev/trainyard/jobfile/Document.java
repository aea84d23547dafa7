package dev.trainyard.jobfile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A parsed text, independent of its notation.
 *
 * @param tables ranges of the text that contain the values of the top-level fields {@link #SECRETS}
 *     and {@link #VARIABLES}, by field name
 * @param maskableTexts texts that may contain a masked value again: fields named {@link #PASSWORD},
 *     and texts to which an alias may refer
 */
record Document(DocumentValue root, Map<String, Span> tables, List<MaskableText> maskableTexts) {
  static final String SECRETS = "secrets";
  static final String VARIABLES = "jobEnvs";
  static final String PASSWORD = "password";
  static final String MASK_TEXT = "******";
  private static final String MASK = '"' + MASK_TEXT + '"';

  /** Maximum length of a field name for which YAML allows a value on the same line. */
  private static final int MAX_NAME_LENGTH = 500;

  /** Returns whether the value at this path must not be quoted. */
  static boolean isSecret(String path) {
    return path.equals(SECRETS) || path.startsWith(SECRETS + ".") || path.startsWith(SECRETS + "[");
  }

  /** Returns whether the position of the value at this path is recorded for masking. */
  static boolean isMaskable(String path) {
    return path.equals(SECRETS) || path.equals(VARIABLES);
  }

  /** A range of characters; the end is exclusive. */
  record Span(int start, int end) {}

  /**
   * A text that is masked if its value is secret.
   *
   * @param prefix text that is kept at the start of the span
   */
  record MaskableText(String value, String prefix, Span span) {}

  /** Returns the text with secrets and registry passwords masked, in its original notation. */
  String mask(String text) {
    return mask(text, Set.of(SECRETS), new HashSet<>(Passwords.of(root)));
  }

  /**
   * Like {@link #mask(String)}, but also masks the values of variables, for users with read access
   * only.
   */
  String maskForReaders(String text) {
    Set<String> maskedValues = new HashSet<>(Passwords.of(root));
    if (field(VARIABLES) instanceof DocumentValue.Table variables) {
      PlainValues.map(variables).values().forEach(value -> maskedValues.add(String.valueOf(value)));
    }
    return mask(text, Set.of(SECRETS, VARIABLES), maskedValues);
  }

  private DocumentValue field(String name) {
    return root instanceof DocumentValue.Table table ? table.fields().get(name) : null;
  }

  private String mask(String text, Set<String> maskedFields, Set<String> maskedValues) {
    Map<Span, String> masks = new TreeMap<>(Comparator.comparingInt(Span::start));
    maskableTexts.stream()
        .filter(maskableText -> maskedValues.contains(maskableText.value()))
        .forEach(maskableText -> masks.put(maskableText.span(), maskableText.prefix() + MASK));
    maskedFields.stream()
        .filter(tables::containsKey)
        .forEach(name -> masks.put(tables.get(name), maskOf(field(name))));
    StringBuilder masked = new StringBuilder();
    int position = 0;
    for (Map.Entry<Span, String> mask : masks.entrySet()) {
      Span span = mask.getKey();
      if (span.start() >= position) {
        // In YAML block style, the span of a value extends to the start of the next value, so the
        // trailing line break and indentation are kept.
        String value = text.substring(span.start(), span.end()).stripTrailing();
        masked.append(text, position, span.start()).append(mask.getValue());
        position = span.start() + value.length();
      }
    }
    return masked.append(text, position, text.length()).toString();
  }

  /**
   * Returns the mask as one line that is valid JSON and YAML. It replaces the whole text of the
   * value, including the comments within it.
   */
  private static String maskOf(DocumentValue value) {
    return value instanceof DocumentValue.Table table && hasShortNames(table)
        ? maskValues(table)
        : MASK;
  }

  private static boolean hasShortNames(DocumentValue value) {
    return switch (value) {
      case DocumentValue.Table table ->
          table.fields().keySet().stream().allMatch(name -> name.length() <= MAX_NAME_LENGTH)
              && table.fields().values().stream().allMatch(Document::hasShortNames);
      case DocumentValue.Items items -> items.values().stream().allMatch(Document::hasShortNames);
      default -> true;
    };
  }

  private static String maskValues(DocumentValue value) {
    List<String> parts = new ArrayList<>();
    return switch (value) {
      case DocumentValue.Table table -> {
        table
            .fields()
            .forEach(
                (name, fieldValue) ->
                    parts.add(YamlText.escape(name) + ": " + maskValues(fieldValue)));
        yield "{" + String.join(", ", parts) + "}";
      }
      case DocumentValue.Items items -> {
        items.values().forEach(fieldValue -> parts.add(maskValues(fieldValue)));
        yield "[" + String.join(", ", parts) + "]";
      }
      default -> MASK;
    };
  }
}
