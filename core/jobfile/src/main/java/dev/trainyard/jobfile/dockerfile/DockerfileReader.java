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
  private int at;

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
    while (at < lines.size()) {
      String line = lines.get(at);
      Matcher escape = DIRECTIVE.matcher(line);
      if (instructions.isEmpty() && escape.matches() && !escape.group(1).equals("\\")) {
        problems.add(problem(at + 1, Message.of("dockerfile.escape")));
      }
      if (isBlank(line)) {
        at++;
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
    int begins = at + 1;
    StringBuilder text = new StringBuilder();
    boolean goesOn = true;
    while (goesOn && at < lines.size()) {
      String line = lines.get(at++);
      if (!text.isEmpty() && isBlank(line)) {
        continue; // comments and empty lines are allowed in between
      }
      String bare = line.stripTrailing();
      goesOn = bare.endsWith("\\") && !bare.endsWith("\\\\");
      text.append(goesOn ? bare.substring(0, bare.length() - 1) : line);
    }
    String[] parts = text.toString().strip().split("\\s+", 2);
    String keyword = parts[0].toUpperCase(Locale.ROOT);
    String rest = parts.length < 2 ? "" : parts[1].strip();
    Map<String, String> flags = new LinkedHashMap<>();
    Matcher flag = FLAG.matcher(rest);
    while (flag.lookingAt()) {
      flags.put(flag.group(1), flag.group(2) == null ? "" : flag.group(2));
      rest = rest.substring(flag.end());
      flag = FLAG.matcher(rest);
    }
    boolean mayHave = keyword.equals("RUN") || keyword.equals("COPY") || keyword.equals("ADD");
    List<Instruction.Document> documents = mayHave ? documents(rest, begins) : List.of();
    instructions.add(new Instruction(begins, keyword, flags, rest, documents));
  }

  private List<Instruction.Document> documents(String rest, int line) {
    List<Instruction.Document> documents = new ArrayList<>();
    Matcher mark = HEREDOC.matcher(rest);
    while (mark.find()) {
      boolean tabs = !mark.group(1).isEmpty();
      String end = mark.group(3);
      StringBuilder text = new StringBuilder();
      boolean ended = false;
      while (!ended && at < lines.size()) {
        String next = lines.get(at++);
        String bare = tabs ? next.replaceFirst("^\t+", "") : next;
        ended = bare.equals(end);
        if (!ended) {
          text.append(bare).append('\n');
        }
      }
      if (!ended) {
        problems.add(problem(line, Message.of("dockerfile.heredoc-open", "end", end)));
      }
      documents.add(new Instruction.Document(end, text.toString()));
    }
    return documents;
  }
}
