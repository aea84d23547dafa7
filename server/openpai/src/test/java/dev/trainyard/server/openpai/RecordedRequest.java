package dev.trainyard.server.openpai;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/**
 * A request of a client program, recorded in a resource, with the response that the program
 * expects.
 *
 * @param token whose token is sent; empty for none
 * @param type content type of the body; empty for none
 * @param status status of the response, followed by the code of an error
 * @param fields JSON pointers of fields that the program reads
 */
record RecordedRequest(
    String title,
    String method,
    String path,
    String token,
    String type,
    String body,
    String status,
    List<String> fields) {

  /** Reads a file whose header describes its format. */
  static List<RecordedRequest> load(String resource) throws IOException {
    try (InputStream file = RecordedRequest.class.getResourceAsStream(resource)) {
      String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      List<RecordedRequest> requests = new ArrayList<>();
      for (String block : text.split("(?m)^== ", -1)) {
        if (!block.startsWith("#")) {
          requests.add(parse(block.lines().filter(line -> !line.isEmpty()).toList()));
        }
      }
      return requests;
    }
  }

  private static RecordedRequest parse(List<String> lines) {
    String[] target = lines.get(1).split(" ", 2);
    String token = "";
    String type = "";
    String status = "";
    StringJoiner body = new StringJoiner("\n");
    List<String> fields = new ArrayList<>();
    for (String line : lines.subList(2, lines.size())) {
      String[] parts = line.split(" ", 2);
      switch (parts[0]) {
        case "token" -> token = parts[1];
        case "type" -> type = parts[1];
        case "body" -> body.add(parts[1]);
        case "status" -> status = parts[1];
        case "field" -> fields.add(parts[1]);
        default -> throw new IllegalArgumentException(line);
      }
    }
    return new RecordedRequest(
        lines.getFirst(), target[0], target[1], token, type, body.toString(), status, fields);
  }
}
