package dev.trainyard.model;

/** The range of ports assigned to tasks, both ends included. */
public record PortRange(int first, int last) {
  private static final int LAST_PORT = 65_535;

  public PortRange {
    if (first < 1 || last > LAST_PORT || first > last) {
      throw new IllegalArgumentException(first + "-" + last);
    }
  }

  /** Parses a text such as {@code 20000-29999}. */
  public static PortRange parse(String text) {
    int dash = text.indexOf('-');
    if (dash < 0) {
      throw new IllegalArgumentException(text);
    }
    return new PortRange(
        Integer.parseInt(text.substring(0, dash).strip()),
        Integer.parseInt(text.substring(dash + 1).strip()));
  }

  public int size() {
    return last - first + 1;
  }
}
