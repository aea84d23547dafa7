package dev.trainyard.jobfile.dockerfile;

import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Splits a Dockerfile into instructions: handles comments, continuation lines, here-documents and
 * flags.
 */
final class DockerfileReader {
  private static final Pattern DIRECTIVE = Pattern.compile("#\\s*escape\\s*=\\s*(\\S+)\\s*");
  private static final Pattern FLAG = Pattern.compile("--([a-z][a-z-]*)(?:=(\\S*))?(?:\\s+|$)");
  private static final Pattern HEREDOC = Pattern.compile("<<(-?)(['\"]?)([A-Za-z_][\\w]*)\\2");

  private final List<String> lines;
  private final List<Problem> problems;
  private final List<Instruction> instructions = new ArrayList<>();
  private int lineIndex;

  private DockerfileReader(String text, List<Problem> problems) {
    this.lines = text.replace("\r\n", "\n").lines().toList();
    this.problems = problems;
  }

  static List<Instruction> read(String text, List<Problem> problems) {
    DockerfileReader reader = new DockerfileReader(text, problems);
    reader.readAll();
    return reader.instructions;
  }

  private void readAll() {
    while (lineIndex < lines.size()) {
      String line = lines.get(lineIndex);
      Matcher escape = DIRECTIVE.matcher(line);
      if (instructions.isEmpty() && escape.matches() && !escape.group(1).equals("\\")) {
        problems.add(problem(lineIndex + 1, Message.of("dockerfile.escape")));
      }
      if (isBlank(line)) {
        lineIndex++;
      } else {
        readInstruction();
      }
    }
  }

  static Problem problem(int line, Message message) {
    return new Problem("", message, line, 1);
  }

  private static boolean isBlank(String line) {
    return line.isBlank() || line.stripLeading().startsWith("#");
  }

  private void readInstruction() {
    int firstLine = lineIndex + 1;
    StringBuilder text = new StringBuilder();
    boolean isContinued = true;
    while (isContinued && lineIndex < lines.size()) {
      String line = lines.get(lineIndex++);
      if (!text.isEmpty() && isBlank(line)) {
        continue; // comments and empty lines are allowed between continuation lines
      }
      String content = line.stripTrailing();
      isContinued = content.endsWith("\\") && !content.endsWith("\\\\");
      text.append(isContinued ? content.substring(0, content.length() - 1) : line);
    }
    String[] parts = text.toString().strip().split("\\s+", 2);
    String keyword = parts[0].toUpperCase(Locale.ROOT);
    String argumentText = parts.length < 2 ? "" : parts[1].strip();
    Map<String, String> flags = new LinkedHashMap<>();
    Matcher flag = FLAG.matcher(argumentText);
    while (flag.lookingAt()) {
      flags.put(flag.group(1), flag.group(2) == null ? "" : flag.group(2));
      argumentText = argumentText.substring(flag.end());
      flag = FLAG.matcher(argumentText);
    }
    boolean allowsDocuments =
        keyword.equals("RUN") || keyword.equals("COPY") || keyword.equals("ADD");
    List<Instruction.Document> documents =
        allowsDocuments ? documents(argumentText, firstLine) : List.of();
    instructions.add(new Instruction(firstLine, keyword, flags, argumentText, documents));
  }

  private List<Instruction.Document> documents(String argumentText, int line) {
    List<Instruction.Document> documents = new ArrayList<>();
    Matcher marker = HEREDOC.matcher(argumentText);
    while (marker.find()) {
      boolean stripsTabs = !marker.group(1).isEmpty();
      String end = marker.group(3);
      StringBuilder text = new StringBuilder();
      boolean isComplete = false;
      while (!isComplete && lineIndex < lines.size()) {
        String next = lines.get(lineIndex++);
        String content = stripsTabs ? next.replaceFirst("^\t+", "") : next;
        isComplete = content.equals(end);
        if (!isComplete) {
          text.append(content).append('\n');
        }
      }
      if (!isComplete) {
        problems.add(problem(line, Message.of("dockerfile.heredoc-open", "end", end)));
      }
      documents.add(new Instruction.Document(end, text.toString()));
    }
    return documents;
  }
}
