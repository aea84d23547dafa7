package dev.trainyard.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonMetaSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.NonValidationKeyword;
import com.networknt.schema.SpecVersion;
import dev.trainyard.server.http.Json;
import java.io.IOException;
import java.net.http.HttpResponse;

/** Checks that a response matches its description in an OpenAPI document. */
final class DescribedResponse {
  private static final JsonMetaSchema DIALECT =
      JsonMetaSchema.builder(JsonMetaSchema.getV202012())
          .keyword(new NonValidationKeyword("components"))
          .keyword(new NonValidationKeyword("example"))
          .build();
  private static final JsonSchemaFactory SCHEMAS =
      JsonSchemaFactory.builder(JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012))
          .metaSchema(DIALECT)
          .defaultMetaSchemaIri(DIALECT.getIri())
          .build();

  private final JsonNode document;

  DescribedResponse(OpenApiDocument openApiDocument) {
    this.document = openApiDocument.document();
  }

  void check(DescribedOperation operation, HttpResponse<String> answer) {
    String what =
        "%s %s: %d %s"
            .formatted(operation.method(), operation.path(), answer.statusCode(), answer.body());
    JsonNode described = operation.node().get("responses").get("" + answer.statusCode());
    assertThat(answer.statusCode()).as(what).isLessThan(500);
    assertThat(described).as(what).isNotNull();
    JsonNode response = DescribedOperation.resolve(document, described);
    response
        .path("headers")
        .fieldNames()
        .forEachRemaining(
            name -> assertThat(answer.headers().firstValue(name)).as(what).isPresent());
    if (!response.has("content")) {
      assertThat(answer.body()).as(what).isEmpty();
      return;
    }
    String type = answer.headers().firstValue("Content-Type").orElse("").split(";", 2)[0];
    JsonNode content = response.get("content").get(type);
    assertThat(content).as("%s %s", type, what).isNotNull();
    if (type.endsWith("json")) {
      checkBody(content.get("schema"), answer.body(), what);
    }
  }

  private void checkBody(JsonNode schema, String body, String what) {
    ObjectNode completeSchema = schema.deepCopy();
    completeSchema.set("components", document.get("components"));
    try {
      assertThat(SCHEMAS.getSchema(completeSchema).validate(Json.MAPPER.readTree(body)))
          .as(what)
          .isEmpty();
    } catch (IOException e) {
      throw new AssertionError(what, e);
    }
  }
}
