package dev.trainyard.jobfile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import dev.trainyard.model.JobFormat;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks that the schemas accept the same files as the parsers, as far as a schema can express the
 * rules.
 */
class JobFileSchemaTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final JsonSchemaFactory SCHEMAS =
      JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012);

  /** Files whose problem is a contradiction between two fields. */
  private static final Set<String> BEYOND_SCHEMAS =
      Set.of(
          "openpai-v1/bad-v1-duplicate-role.json",
          "openpai-v1/bad-v1-min-above-number.json",
          "openpai-v1/bad-v1-shm-above-memory.json",
          "openpai-v2/bad-v2-default-deployment.yaml",
          "openpai-v2/bad-v2-duplicate-deployment.yaml",
          "openpai-v2/bad-v2-duplicate-prerequisite.yaml",
          "openpai-v2/bad-v2-image-missing.yaml",
          "openpai-v2/bad-v2-script-missing.yaml");

  static Stream<Map.Entry<String, JsonNode>> verdicts() throws IOException {
    return VerdictsTest.verdicts().filter(verdict -> !BEYOND_SCHEMAS.contains(verdict.getKey()));
  }

  @ParameterizedTest
  @MethodSource("verdicts")
  void of_sameResultAsParser(Map.Entry<String, JsonNode> verdict) throws IOException {
    JobFormat format = JobFormat.ofLabel(verdict.getValue().get("format").asText());
    JsonNode file = JSON.valueToTree(JobFiles.plain(VerdictsTest.text(verdict.getKey())));
    Set<ValidationMessage> validationMessages =
        SCHEMAS.getSchema(JobFileSchema.of(format)).validate(file);
    assertThat(validationMessages.isEmpty())
        .as(validationMessages.toString())
        .isEqualTo(verdict.getValue().get("valid").asBoolean());
  }

  @ParameterizedTest
  @EnumSource
  void of_isAValidSchema(JobFormat format) throws IOException {
    JsonNode schema = JSON.readTree(JobFileSchema.of(format));
    assertThat(schema.get("$id").asText()).endsWith(format.label());
    String draft = schema.get("$schema").asText();
    assertThat(SCHEMAS.getSchema(SchemaLocation.of(draft)).validate(schema)).isEmpty();
  }
}
