package dev.trainyard.jobfile;

/**
 * What Trainyard adds to the job files of others: {@code extras.trainyard}. In OpenPAI {@code
 * extras} takes anything, so a file with it still runs there, and no key of OpenPAI's is called so.
 */
final class Extras {
  private static final int LONGEST_GRACE = 7 * 24 * 3600;

  private Extras() {}

  /** {@code stopGraceSeconds}, or 0 if the file does not say. */
  static int stopGrace(Fields document, Problems problems) {
    var extras = document.table("extras");
    if (extras.isEmpty()) {
      return 0;
    }
    Fields all = new Fields(extras.get(), document.path("extras"), problems);
    var own = all.table("trainyard");
    if (own.isEmpty()) {
      return 0;
    }
    Fields fields = new Fields(own.get(), all.path("trainyard"), problems);
    int seconds = fields.number("stopGraceSeconds", 1, LONGEST_GRACE, 0).orElse(0);
    fields.rejectUnknown();
    return seconds;
  }
}
