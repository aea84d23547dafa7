package dev.trainyard.jobfile;

import dev.trainyard.model.Message;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/** Creates readable messages for YAML syntax errors. */
final class YamlErrorMessages {
  private YamlErrorMessages() {}

  static void report(MarkedYAMLException failure, Problems problems) {
    Mark mark = failure.getProblemMark();
    if (mark == null) {
      problems.add("", new DocumentValue.Position(1, 1), Message.of("jobfile.yaml-other"));
      return;
    }
    int[] buffer = mark.getBuffer();
    boolean isAtEnd = mark.getPointer() >= buffer.length || buffer[mark.getPointer()] == 0;
    Message message = isAtEnd ? endMessage(failure) : messageAt(buffer[mark.getPointer()], failure);
    problems.add("", YamlDocument.position(mark), message);
  }

  private static Message endMessage(MarkedYAMLException failure) {
    return problemText(failure).contains("':'")
        ? Message.of("jobfile.yaml-colon-missing")
        : Message.of("jobfile.yaml-end");
  }

  private static Message messageAt(int character, MarkedYAMLException failure) {
    String problemText = problemText(failure);
    if (character == '\t') {
      return Message.of("jobfile.yaml-tab");
    } else if (problemText.contains("mapping values are not allowed")) {
      return Message.of("jobfile.yaml-colon");
    } else if (problemText.contains("could not find expected ':'")) {
      return Message.of("jobfile.yaml-colon-missing");
    } else if (problemText.contains("<block end>") || problemText.contains("sequence entries")) {
      return Message.of("jobfile.yaml-indent");
    } else if (problemText.contains("escape")) {
      return Message.of("jobfile.yaml-escape");
    }
    return Message.of("jobfile.yaml", "found", Excerpt.quoted(Character.toString(character)));
  }

  private static String problemText(MarkedYAMLException failure) {
    return failure.getProblem() == null ? "" : failure.getProblem();
  }
}
