package dev.trainyard.server.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.trainyard.server.http.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.representer.Representer;

/**
 * An OpenAPI document. The document is written by hand, with one file per topic. {@code
 * openapi.yaml} lists these files, and this class combines their paths and components into one
 * document.
 */
public final class OpenApiDocument {
  private static final String PARTS = "x-parts";
  private static final int MAX_ALIASES = 1000;
  private static final ObjectMapper MAPPER = Json.MAPPER;

  private final ObjectNode document;

  private OpenApiDocument(ObjectNode document) {
    this.document = document;
  }

  /** Returns the document of the native API. */
  public static OpenApiDocument ofV3() {
    return read("v3");
  }

  /** Returns the document of OpenPAI's API. */
  public static OpenApiDocument ofOpenPai() {
    return read("openpai");
  }

  private static OpenApiDocument read(String directory) {
    ObjectNode document = loadYaml(directory, "openapi");
    JsonNode parts = document.remove(PARTS);
    document.putObject("paths");
    document.putObject("components");
    for (JsonNode part : parts) {
      add(document, loadYaml(directory, part.textValue()), part.textValue());
    }
    CommonResponses.addTo(document);
    return new OpenApiDocument(document);
  }

  private static void add(ObjectNode document, ObjectNode part, String name) {
    for (var section : part.properties()) {
      switch (section.getKey()) {
        case "paths" -> merge(document.withObjectProperty("paths"), section.getValue(), name);
        case "components" -> {
          ObjectNode components = document.withObjectProperty("components");
          for (var kind : section.getValue().properties()) {
            merge(components.withObjectProperty(kind.getKey()), kind.getValue(), name);
          }
        }
        default ->
            throw new IllegalStateException(name + " has an unknown section " + section.getKey());
      }
    }
  }

  private static void merge(ObjectNode target, JsonNode added, String part) {
    for (var entry : added.properties()) {
      if (target.has(entry.getKey())) {
        throw new IllegalStateException(part + " contains a duplicate: " + entry.getKey());
      }
      target.set(entry.getKey(), entry.getValue());
    }
  }

  /** Loads a YAML file and replaces each alias by a copy of the part to which it refers. */
  private static ObjectNode loadYaml(String directory, String name) {
    String path = directory + "/" + name + ".yaml";
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    options.setMaxAliasesForCollections(MAX_ALIASES);
    try (InputStream in = OpenApiDocument.class.getResourceAsStream(path)) {
      return MAPPER.valueToTree(new Yaml(new SafeConstructor(options)).load(in));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public JsonNode document() {
    return document;
  }

  byte[] json() {
    try {
      return MAPPER.writeValueAsBytes(document);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String yaml() {
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    options.setSplitLines(false);
    Map<?, ?> plain = MAPPER.convertValue(document, Map.class);
    return new Yaml(new Representer(options), options).dump(plain);
  }

  /** The method names of operations in a path item. */
  static final List<String> METHODS = List.of("get", "put", "post", "delete", "patch");
}
