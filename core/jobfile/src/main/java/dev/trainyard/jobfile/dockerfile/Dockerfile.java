package dev.trainyard.jobfile.dockerfile;

import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A Dockerfile of one stage. */
public final class Dockerfile {
  /** Maximum length of a Dockerfile in characters. */
  public static final int MAX_LENGTH = 1 << 20;

  private static final Set<String> SETTINGS =
      Set.of(
          "ENV",
          "WORKDIR",
          "USER",
          "CMD",
          "ENTRYPOINT",
          "EXPOSE",
          "LABEL",
          "MAINTAINER",
          "SHELL",
          "STOPSIGNAL",
          "VOLUME");
  private static final Set<String> COPY_FLAGS = Set.of("chown", "chmod", "link");
  private static final List<String> ARCHIVES =
      List.of(".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz");

  /** All instructions, including the arguments before FROM. */
  private final List<Instruction> instructions;

  private Dockerfile(List<Instruction> instructions) {
    this.instructions = List.copyOf(instructions);
  }

  /**
   * The result of parsing: a Dockerfile, or all its problems.
   *
   * @param warnings instructions that are accepted but have no effect
   */
  public record Parsed(
      Optional<Dockerfile> dockerfile, List<Problem> problems, List<Problem> warnings) {}

  public static Parsed parse(String text) {
    List<Problem> problems = new ArrayList<>();
    List<Problem> warnings = new ArrayList<>();
    List<Instruction> instructions = DockerfileReader.read(text, problems);
    Dockerfile dockerfile = new Dockerfile(instructions);
    dockerfile.check(problems, warnings);
    return problems.isEmpty()
        ? new Parsed(Optional.of(dockerfile), List.of(), warnings)
        : new Parsed(Optional.empty(), problems, warnings);
  }

  List<Instruction> instructions() {
    return instructions;
  }

  /**
   * Returns the base image.
   *
   * @param arguments arguments given to the build
   */
  public String baseImage(Map<String, String> arguments) {
    Map<String, String> argumentValues = new HashMap<>();
    for (Instruction instruction : instructions) {
      if (instruction.keyword().equals("FROM")) {
        String image = VariableExpansion.split(instruction.argumentText()).getFirst();
        return VariableExpansion.expand(
            image, name -> Optional.ofNullable(argumentValues.get(name)));
      }
      String name = argumentName(instruction);
      String passedValue = arguments.get(name);
      int equals = instruction.argumentText().indexOf('=');
      String defaultValue =
          equals < 0
              ? ""
              : VariableExpansion.expand(
                  instruction.argumentText().substring(equals + 1),
                  variable -> Optional.ofNullable(argumentValues.get(variable)));
      argumentValues.put(name, passedValue == null ? defaultValue : passedValue);
    }
    throw new IllegalStateException(
        "no FROM"); // cannot happen: a parsed Dockerfile has a FROM instruction
  }

  /** Returns the arguments that are passed to the build but not declared by an ARG instruction. */
  public List<String> undeclaredArguments(Set<String> arguments) {
    List<String> declared =
        instructions.stream()
            .filter(instruction -> instruction.keyword().equals("ARG"))
            .map(Dockerfile::argumentName)
            .toList();
    return arguments.stream()
        .filter(name -> !declared.contains(name) && !BuildPlan.isPredefined(name))
        .sorted()
        .toList();
  }

  static String argumentName(Instruction instruction) {
    int equals = instruction.argumentText().indexOf('=');
    return (equals < 0
            ? instruction.argumentText()
            : instruction.argumentText().substring(0, equals))
        .strip();
  }

  private void check(List<Problem> problems, List<Problem> warnings) {
    int stages = 0;
    for (Instruction instruction : instructions) {
      Optional<Message> problem;
      if (instruction.keyword().equals("FROM")) {
        stages++;
        problem =
            stages > 1 ? Optional.of(Message.of("dockerfile.stages")) : checkFrom(instruction);
      } else if (stages == 0 && !instruction.keyword().equals("ARG")) {
        problem = Optional.of(Message.of("dockerfile.from-first"));
        stages = 1; // reported once
      } else if (instruction.keyword().equals("HEALTHCHECK")) {
        problem = Optional.empty();
        warnings.add(
            DockerfileReader.problem(instruction.line(), Message.of("dockerfile.healthcheck")));
      } else {
        problem = checkInstruction(instruction);
      }
      problem.ifPresent(
          message -> problems.add(DockerfileReader.problem(instruction.line(), message)));
    }
    if (instructions.isEmpty() || (stages == 0 && problems.isEmpty())) {
      problems.add(DockerfileReader.problem(1, Message.of("dockerfile.no-from")));
    }
  }

  private static Optional<Message> checkFrom(Instruction instruction) {
    List<String> words = VariableExpansion.split(instruction.argumentText());
    boolean hasName = words.size() == 3 && words.get(1).equalsIgnoreCase("AS");
    if (!instruction.flags().isEmpty()) {
      return checkFlags(instruction, Set.of());
    }
    if (words.size() != 1 && !hasName) {
      return Optional.of(Message.of("dockerfile.from-form"));
    }
    return words.getFirst().equals("scratch")
        ? Optional.of(Message.of("dockerfile.scratch"))
        : Optional.empty();
  }

  private static Optional<Message> checkFlags(Instruction instruction, Set<String> allowed) {
    return instruction.flags().keySet().stream()
        .filter(flag -> !allowed.contains(flag))
        .findFirst()
        .map(
            flag ->
                Message.of(
                        flag.equals("from") ? "dockerfile.copy-from" : "dockerfile.flag",
                        "flag",
                        "--" + flag)
                    .with("keyword", instruction.keyword()));
  }

  private static Optional<Message> checkInstruction(Instruction instruction) {
    String keyword = instruction.keyword();
    if (SETTINGS.contains(keyword) || keyword.equals("ARG") || keyword.equals("RUN")) {
      Optional<Message> flag = checkFlags(instruction, Set.of());
      if (flag.isPresent()) {
        return flag;
      }
    }
    boolean hasNoArguments = instruction.argumentText().isEmpty();
    return switch (keyword) {
      case "COPY", "ADD" -> checkCopy(instruction);
      case "ONBUILD" -> Optional.of(Message.of("dockerfile.onbuild"));
      case "SHELL" ->
          instruction.execForm().filter(words -> !words.isEmpty()).isEmpty()
              ? Optional.of(Message.of("dockerfile.shell-form"))
              : Optional.empty();
      case "ENV", "LABEL" ->
          hasNoArguments || NameValuePairs.of(instruction.argumentText()).isEmpty()
              ? Optional.of(Message.of("dockerfile.pairs", "keyword", keyword))
              : Optional.empty();
      case "ARG" ->
          argumentName(instruction).matches("[A-Za-z_][A-Za-z0-9_]*")
              ? Optional.empty()
              : Optional.of(Message.of("dockerfile.arg-form"));
      default -> {
        if (!SETTINGS.contains(keyword) && !keyword.equals("RUN")) {
          yield Optional.of(Message.of("dockerfile.unknown", "keyword", shorten(keyword)));
        }
        yield hasNoArguments
            ? Optional.of(Message.of("dockerfile.empty", "keyword", keyword))
            : Optional.empty();
      }
    };
  }

  private static String shorten(String text) {
    return text.length() > 40 ? text.substring(0, 40) + "…" : text;
  }

  private static Optional<Message> checkCopy(Instruction instruction) {
    Optional<Message> flag = checkFlags(instruction, COPY_FLAGS);
    if (flag.isPresent()) {
      return flag;
    }
    if (!instruction.documents().isEmpty()) {
      return Optional.of(Message.of("dockerfile.copy-heredoc"));
    }
    List<String> words = words(instruction);
    if (words.size() < 2) {
      return Optional.of(Message.of("dockerfile.copy-form", "keyword", instruction.keyword()));
    }
    if (instruction.keyword().equals("ADD")) {
      for (String source : words.subList(0, words.size() - 1)) {
        String lowerSource = source.toLowerCase(Locale.ROOT);
        if (lowerSource.contains("://") || lowerSource.startsWith("git@")) {
          return Optional.of(Message.of("dockerfile.add-url"));
        }
        if (ARCHIVES.stream().anyMatch(lowerSource::endsWith)) {
          return Optional.of(Message.of("dockerfile.add-archive"));
        }
      }
    }
    return Optional.empty();
  }

  static List<String> words(Instruction instruction) {
    return instruction
        .execForm()
        .orElseGet(() -> VariableExpansion.split(instruction.argumentText()));
  }
}
