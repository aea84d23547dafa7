package dev.trainyard.jobfile;

import dev.trainyard.model.Capability;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads Trainyard's additions to the OpenPAI formats: {@code extras.trainyard}. OpenPAI accepts any
 * key in {@code extras}, so it also accepts a file with these additions, and OpenPAI itself uses no
 * key of this name.
 */
final class Extras {
  private static final int MAX_GRACE_SECONDS = 7 * 24 * 3600;
  private static final int MAX_SHORT_TEXT = 1024;

  private Extras() {}

  /**
   * Values of {@code extras.trainyard}.
   *
   * @param stopGrace {@code stopGraceSeconds}, or 0
   * @param deviceType {@code gpuType}, for formats without such a field; empty for any device type
   * @param capabilities additional capabilities
   */
  record TrainyardFields(int stopGrace, String deviceType, List<Capability> capabilities) {
    static final TrainyardFields NONE = new TrainyardFields(0, "", List.of());

    JobSpec applyTo(JobSpec spec) {
      return capabilities.isEmpty()
          ? spec
          : spec.withExtras(spec.extras().withCapabilities(capabilities));
    }
  }

  static TrainyardFields read(Optional<Fields> extras) {
    Optional<Fields> trainyardFields = extras.flatMap(fields -> fields.fields("trainyard"));
    if (trainyardFields.isEmpty()) {
      return TrainyardFields.NONE;
    }
    Fields fields = trainyardFields.get();
    int seconds = fields.number("stopGraceSeconds", 1, MAX_GRACE_SECONDS, 0).orElse(0);
    String type = fields.text("gpuType", MAX_SHORT_TEXT).orElse("").strip();
    if (!NameRules.isDeviceType(type)) {
      fields.report("gpuType", Message.of("jobfile.device-type", "found", Excerpt.quoted(type)));
    }
    List<Capability> capabilities = capabilities(fields);
    fields.rejectUnknown();
    return new TrainyardFields(seconds, type, capabilities);
  }

  private static List<Capability> capabilities(Fields fields) {
    String name = "capabilities";
    List<Capability> result = new ArrayList<>();
    for (String text : fields.texts(name)) {
      Optional<Capability> capability = Capability.find(text);
      if (capability.isEmpty()) {
        fields.report(
            name,
            Message.of("jobfile.capability", "found", Excerpt.quoted(text))
                .with("known", Capability.names()));
      } else if (!result.contains(capability.get())) {
        result.add(capability.get());
      }
    }
    return result;
  }
}
