package dev.trainyard.jobfile;

import java.util.regex.Pattern;

/** Formats paths of values in a document, for example {@code taskRoles[0].command}. */
final class DocumentPaths {
  private static final Pattern SIMPLE_NAME = Pattern.compile("[A-Za-z0-9_$-]{1,64}");

  private DocumentPaths() {}

  static String field(String parent, String name) {
    if (!SIMPLE_NAME.matcher(name).matches()) {
      return parent + "[" + Excerpt.quoted(name) + "]";
    }
    return parent.isEmpty() ? name : parent + "." + name;
  }

  static String item(String parent, int index) {
    return parent + "[" + index + "]";
  }
}
