package dev.trainyard.model;

/** The job-file formats, with their names in the API. */
public enum JobFormat {
  OPENPAI_V1("openpai-v1"),
  OPENPAI_V2("openpai-v2");

  private final String label;

  JobFormat(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }

  public static JobFormat ofLabel(String label) {
    for (JobFormat format : values()) {
      if (format.label.equals(label)) {
        return format;
      }
    }
    throw new IllegalArgumentException("unknown job-file format: " + label);
  }
}
