package dev.trainyard.jobfile;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any template is rendered or rejected within the time limit. The first line of the input is a
 * value that the template can use.
 */
class TemplateFuzzTest {
  private static final int MAX_LENGTH = 100_000;
  private static final DocumentValue.Position POSITION = new DocumentValue.Position(1, 1);

  @MethodSource("dev.trainyard.jobfile.FuzzSeeds#templates")
  @FuzzTest(maxDuration = "20m")
  void render_randomTemplate(byte[] input) {
    String text = new String(input, StandardCharsets.UTF_8);
    int end = Math.max(text.indexOf('\n'), 0);
    TemplateValues values = values(text.substring(0, end));
    String template = text.substring(end);
    Optional<String> rendered = CpuTime.runWithinLimit(input.length, () -> check(template, values));
    if (!template.contains(Template.OPEN) && template.length() < MAX_LENGTH) {
      assertThat(rendered).contains(template.strip());
    }
  }

  private static Optional<String> check(String template, TemplateValues values) {
    List<String> unknownNames = new ArrayList<>();
    try {
      String rendered =
          new Template(template, values::find, unknownNames::add, MAX_LENGTH).render();
      assertThat(rendered).hasSizeLessThanOrEqualTo(MAX_LENGTH).isEqualTo(rendered.strip());
      assertThat(unknownNames).allSatisfy(name -> assertThat(values.find(name)).isEmpty());
      return Optional.of(rendered);
    } catch (Template.FaultException e) {
      assertThat(e.fault()).isNotNull();
      return Optional.empty();
    }
  }

  /** Returns the line as a number, if it is a valid number of a job file, and as a text. */
  private static TemplateValues values(String line) {
    Object number = YamlScalars.number(line, POSITION).map(PlainValues::of).orElse(line);
    Map<String, Object> nestedValues = new HashMap<>();
    nestedValues.put(line, "own");
    nestedValues.put("list", List.of(List.of(1, number), line, Map.of("a", line)));
    return new TemplateValues(
        Map.of("$parameters", Map.of("number", number, "text", line, "deep", nestedValues)));
  }
}
