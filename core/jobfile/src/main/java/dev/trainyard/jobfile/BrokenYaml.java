package dev.trainyard.jobfile;

import dev.trainyard.model.Message;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/** Creates readable messages for YAML syntax errors. */
final class BrokenYaml {
  private BrokenYaml() {}

  static void tell(MarkedYAMLException failure, Problems problems) {
    Mark mark = failure.getProblemMark();
    if (mark == null) {
      problems.add("", new Located.Place(1, 1), Message.of("jobfile.yaml-other"));
      return;
    }
    int[] buffer = mark.getBuffer();
    boolean atEnd = mark.getPointer() >= buffer.length || buffer[mark.getPointer()] == 0;
    Message message = atEnd ? atEnd(failure) : at(buffer[mark.getPointer()], failure);
    problems.add("", YamlDocument.place(mark), message);
  }

  private static Message atEnd(MarkedYAMLException failure) {
    return problem(failure).contains("':'")
        ? Message.of("jobfile.yaml-colon-missing")
        : Message.of("jobfile.yaml-end");
  }

  private static Message at(int found, MarkedYAMLException failure) {
    String problem = problem(failure);
    if (found == '\t') {
      return Message.of("jobfile.yaml-tab");
    } else if (problem.contains("mapping values are not allowed")) {
      return Message.of("jobfile.yaml-colon");
    } else if (problem.contains("could not find expected ':'")) {
      return Message.of("jobfile.yaml-colon-missing");
    } else if (problem.contains("<block end>") || problem.contains("sequence entries")) {
      return Message.of("jobfile.yaml-indent");
    } else if (problem.contains("escape")) {
      return Message.of("jobfile.yaml-escape");
    }
    return Message.of("jobfile.yaml", "found", Excerpt.quoted(Character.toString(found)));
  }

  private static String problem(MarkedYAMLException failure) {
    return failure.getProblem() == null ? "" : failure.getProblem();
  }
}
