package dev.trainyard.jobfile;

import dev.trainyard.model.Message;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The content of {@code jobEnvs}: variables. The platform itself evaluates two of them.
 *
 * @param isDebug whether failed tasks are kept for debugging
 */
record OpenPaiV1Environment(Map<String, String> variables, boolean isDebug) {
  /** Maximum total length of name and value of a variable with which Linux can start a program. */
  private static final int MAX_VARIABLE_BYTES = 128 * 1024 - 2;

  static OpenPaiV1Environment read(Fields fields, Problems problems) {
    Optional<DocumentValue.Table> table = fields.table("jobEnvs");
    Map<String, String> variables = new LinkedHashMap<>();
    if (table.isPresent()) {
      table
          .get()
          .fields()
          .forEach((name, value) -> readVariable(fields, name, value, variables, problems));
    }
    boolean isDebug = "true".equals(variables.get("isDebug"));
    if (isDebug) {
      warn(fields, table.get(), "isDebug", "jobfile.keep-failed-later", problems);
    }
    if ("true".equals(variables.get("paiAzRDMA"))) {
      warn(fields, table.get(), "paiAzRDMA", "jobfile.rdma-later", problems);
    }
    return new OpenPaiV1Environment(variables, isDebug);
  }

  private static void readVariable(
      Fields fields,
      String name,
      DocumentValue value,
      Map<String, String> variables,
      Problems problems) {
    String path = DocumentPaths.field(fields.path("jobEnvs"), name);
    if (name.isEmpty()
        || name.indexOf('=') >= 0
        || TextRules.findProblem(name, 10_000).isPresent()) {
      problems.add(path, value, Message.of("jobfile.env-name", "found", Excerpt.quoted(name)));
    }
    String text =
        switch (value) {
          case DocumentValue.Text string -> string.value();
          case DocumentValue.Numeral numeral -> numeral.digits();
          case DocumentValue.Bool bool -> String.valueOf(bool.value());
          case DocumentValue.Null _, DocumentValue.Items _, DocumentValue.Table _ -> null;
        };
    if (text == null) {
      problems.add(path, value, Message.of("jobfile.env-value", "found", Excerpt.of(value)));
      return;
    }
    TextRules.findProblem(text, JobFiles.MAX_LENGTH)
        .ifPresent(message -> problems.add(path, value, message));
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    bytes += text.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_VARIABLE_BYTES) {
      Message message = Message.of("jobfile.env-long", "bytes", bytes);
      problems.add(path, value, message.with("limit", MAX_VARIABLE_BYTES));
    }
    variables.put(name, text);
  }

  private static void warn(
      Fields fields, DocumentValue.Table table, String name, String code, Problems problems) {
    String path = DocumentPaths.field(fields.path("jobEnvs"), name);
    problems.warn(path, table.fields().get(name), Message.of(code));
  }
}
