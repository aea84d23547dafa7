package dev.trainyard.jobfile;

import dev.trainyard.model.Capability;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Trainyard's additions to the formats of others: {@code extras.trainyard}. OpenPAI accepts any key
 * in {@code extras}, so a file with it still runs there, and no OpenPAI key has this name.
 */
final class Extras {
  private static final int LONGEST_GRACE = 7 * 24 * 3600;
  private static final int MAX_SHORT_TEXT = 1024;

  private Extras() {}

  /**
   * Values of {@code extras.trainyard}.
   *
   * @param stopGrace {@code stopGraceSeconds}, or 0
   * @param deviceType {@code gpuType}, for formats without such a field; empty for any
   * @param capabilities additional capabilities
   */
  record Own(int stopGrace, String deviceType, List<Capability> capabilities) {
    static final Own NONE = new Own(0, "", List.of());

    JobSpec applyTo(JobSpec spec) {
      return capabilities.isEmpty()
          ? spec
          : spec.withExtras(spec.extras().withCapabilities(capabilities));
    }
  }

  static Own read(Optional<Fields> extras) {
    Optional<Fields> own = extras.flatMap(fields -> fields.fields("trainyard"));
    if (own.isEmpty()) {
      return Own.NONE;
    }
    Fields fields = own.get();
    int seconds = fields.number("stopGraceSeconds", 1, LONGEST_GRACE, 0).orElse(0);
    String type = fields.text("gpuType", MAX_SHORT_TEXT).orElse("").strip();
    if (!NameRules.isDeviceType(type)) {
      fields.tell("gpuType", Message.of("jobfile.device-type", "found", Excerpt.quoted(type)));
    }
    List<Capability> capabilities = capabilities(fields);
    fields.rejectUnknown();
    return new Own(seconds, type, capabilities);
  }

  private static List<Capability> capabilities(Fields fields) {
    String name = "capabilities";
    List<Capability> found = new ArrayList<>();
    for (String text : fields.texts(name)) {
      Optional<Capability> capability = Capability.find(text);
      if (capability.isEmpty()) {
        fields.tell(
            name,
            Message.of("jobfile.capability", "found", Excerpt.quoted(text))
                .with("known", Capability.names()));
      } else if (!found.contains(capability.get())) {
        found.add(capability.get());
      }
    }
    return found;
  }
}
