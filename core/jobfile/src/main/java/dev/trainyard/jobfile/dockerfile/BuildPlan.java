package dev.trainyard.jobfile.dockerfile;

import dev.trainyard.model.ImageSettings;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The steps of a build and the settings of its image, computed from a Dockerfile and the settings
 * of its base image. The same input always gives the same plan.
 */
public final class BuildPlan {
  /** Path at which the task of a build sees the build context. */
  public static final String CONTEXT = BuildScript.CONTEXT;

  /**
   * Predefined arguments of Docker. They can be passed to a build without an ARG instruction and
   * are not stored in the image.
   */
  private static final Set<String> PREDEFINED_ARGUMENTS =
      Set.of(
          "HTTP_PROXY",
          "http_proxy",
          "HTTPS_PROXY",
          "https_proxy",
          "FTP_PROXY",
          "ftp_proxy",
          "NO_PROXY",
          "no_proxy",
          "ALL_PROXY",
          "all_proxy");

  /**
   * The result of planning a build.
   *
   * @param script script for a shell of the image, run as root
   * @param problems missing files; the script is then incomplete
   */
  public record Outcome(String script, ImageSettings settings, List<Problem> problems) {}

  private final Map<String, String> buildArguments;
  private final ContextFiles files;
  private final PatternMatches matches;
  private final boolean isBaseKnown;
  private final BuildScript script;
  private final List<Problem> problems = new ArrayList<>();
  private final Map<String, String> environment;

  /** Variables set by ENV and ARG, for the commands. */
  private final Map<String, String> variables = new LinkedHashMap<>();

  private final Map<String, String> arguments = new LinkedHashMap<>();
  private final Map<String, String> labels;
  private final Set<String> ports;
  private final Set<String> volumes;
  private String user;
  private String directory;
  private List<String> entrypoint;
  private List<String> command;
  private boolean isCommandSet;
  private String stopSignal;
  private List<String> shell;

  private BuildPlan(
      Map<String, String> buildArguments,
      Optional<ImageSettings> base,
      ContextFiles files,
      int steps) {
    ImageSettings baseSettings = base.orElse(ImageSettings.NONE);
    this.buildArguments = buildArguments;
    this.files = files;
    this.matches = new PatternMatches(files);
    this.isBaseKnown = base.isPresent();
    this.script = new BuildScript(steps);
    this.environment = new LinkedHashMap<>(baseSettings.environment());
    this.labels = new LinkedHashMap<>(baseSettings.labels());
    this.ports = new LinkedHashSet<>(baseSettings.ports());
    this.volumes = new LinkedHashSet<>(baseSettings.volumes());
    this.user = baseSettings.user();
    this.directory = baseSettings.workingDirectory();
    this.entrypoint = baseSettings.entrypoint();
    this.command = baseSettings.command();
    this.stopSignal = baseSettings.stopSignal();
    this.shell = baseSettings.shell();
  }

  /**
   * @param arguments arguments given to the build
   * @param base settings of the base image; empty while they are unknown, in which case values that
   *     depend on them are not checked
   */
  public static Outcome of(
      Dockerfile dockerfile,
      Map<String, String> arguments,
      Optional<ImageSettings> base,
      ContextFiles files) {
    List<Instruction> allInstructions = dockerfile.instructions();
    BuildPlan plan = new BuildPlan(arguments, base, files, allInstructions.size());
    arguments.forEach(
        (name, value) -> {
          if (PREDEFINED_ARGUMENTS.contains(name)) {
            plan.variables.put(name, value);
          }
        });
    boolean inStage = false;
    Map<String, String> globalArguments = new LinkedHashMap<>();
    for (Instruction instruction : allInstructions) {
      plan.script.step(instruction);
      inStage = inStage || instruction.keyword().equals("FROM");
      if (inStage) {
        plan.apply(instruction, globalArguments);
      } else {
        plan.applyArgument(instruction, globalArguments, false);
      }
    }
    return new Outcome(
        plan.script.finish("All steps completed; creating the image"),
        plan.settings(),
        plan.problems);
  }

  /** Returns whether an argument can be passed to a build without an ARG instruction. */
  public static boolean isPredefined(String argument) {
    return PREDEFINED_ARGUMENTS.contains(argument);
  }

  private ImageSettings settings() {
    return new ImageSettings(
        environment,
        user,
        directory,
        entrypoint,
        command,
        labels,
        List.copyOf(ports),
        List.copyOf(volumes),
        stopSignal,
        shell);
  }

  private Optional<String> lookUp(String name) {
    String value = environment.get(name);
    return Optional.ofNullable(value == null ? arguments.get(name) : value);
  }

  private String expand(String text) {
    return VariableExpansion.expand(text, this::lookUp);
  }

  /** Returns whether this text may depend on the base image. */
  private boolean dependsOnBase(String text) {
    if (isBaseKnown) {
      return false;
    }
    boolean[] hasUnknown = {false};
    VariableExpansion.expand(
        text,
        name -> {
          Optional<String> variableValue = lookUp(name);
          hasUnknown[0] |= variableValue.isEmpty();
          return variableValue;
        });
    return hasUnknown[0];
  }

  private void apply(Instruction instruction, Map<String, String> globalArguments) {
    String argumentText = instruction.argumentText();
    switch (instruction.keyword()) {
      case "ARG" -> applyArgument(instruction, globalArguments, true);
      case "ENV" ->
          NameValuePairs.of(argumentText)
              .forEach(pair -> setVariable(pair.getKey(), expand(pair.getValue())));
      case "LABEL" ->
          NameValuePairs.of(argumentText)
              .forEach(pair -> labels.put(expand(pair.getKey()), expand(pair.getValue())));
      case "MAINTAINER" -> labels.put("maintainer", argumentText);
      case "WORKDIR" -> {
        directory = toAbsolute(expand(argumentText));
        script.makeDirectory(directory);
      }
      case "USER" -> user = expand(argumentText);
      case "RUN" -> script.run(currentDirectory(), user, variables, commandOf(instruction));
      case "COPY", "ADD" -> copy(instruction);
      case "CMD" -> {
        command = commandOf(instruction);
        isCommandSet = true;
      }
      case "ENTRYPOINT" -> {
        entrypoint = commandOf(instruction);
        // The default command of the base image is not meant for the new entrypoint.
        command = isCommandSet ? command : List.of();
      }
      case "EXPOSE" ->
          VariableExpansion.split(argumentText).stream()
              .map(this::expand)
              .forEach(port -> ports.add(port.contains("/") ? port : port + "/tcp"));
      case "VOLUME" ->
          Dockerfile.words(instruction).stream().map(this::expand).forEach(volumes::add);
      case "STOPSIGNAL" -> stopSignal = expand(argumentText);
      case "SHELL" -> shell = instruction.execForm().orElseThrow();
      default -> {} // FROM and instructions without effect
    }
  }

  private void setVariable(String name, String value) {
    environment.put(name, value);
    variables.put(name, value);
  }

  private void applyArgument(
      Instruction instruction, Map<String, String> globalArguments, boolean inStage) {
    Map<String, String> target = inStage ? arguments : globalArguments;
    String name = Dockerfile.argumentName(instruction);
    int equals = instruction.argumentText().indexOf('=');
    String value = buildArguments.get(name);
    if (value == null && equals >= 0) {
      value =
          VariableExpansion.expand(
              instruction.argumentText().substring(equals + 1),
              variable -> Optional.ofNullable(target.get(variable)).or(() -> lookUp(variable)));
    }
    if (value == null) {
      value = globalArguments.get(name);
    }
    if (value != null) {
      target.put(name, value);
      // For commands, ENV takes precedence over ARG, and arguments before FROM do not apply.
      if (inStage && !environment.containsKey(name)) {
        variables.put(name, value);
      }
    }
  }

  private String currentDirectory() {
    return directory.isEmpty() ? "/" : directory;
  }

  private String toAbsolute(String path) {
    if (path.startsWith("/")) {
      return path;
    }
    return currentDirectory().endsWith("/")
        ? currentDirectory() + path
        : currentDirectory() + "/" + path;
  }

  /**
   * Returns the command to run: the words of the exec form, or the shell with the text of the
   * instruction.
   */
  private List<String> commandOf(Instruction instruction) {
    Optional<List<String>> words = instruction.execForm().filter(command -> !command.isEmpty());
    if (words.isPresent()) {
      return words.get();
    }
    List<String> command = new ArrayList<>(shell.isEmpty() ? List.of("/bin/sh", "-c") : shell);
    command.add(shellText(instruction));
    return command;
  }

  private static String shellText(Instruction instruction) {
    if (instruction.documents().isEmpty()) {
      return instruction.argumentText();
    }
    if (instruction.argumentText().matches("<<-?(['\"]?)\\w+\\1")) {
      return instruction.documents().getFirst().text(); // the document is the script
    }
    StringBuilder text = new StringBuilder(instruction.argumentText()).append('\n');
    for (Instruction.Document document : instruction.documents()) {
      text.append(document.text()).append(document.end()).append('\n');
    }
    return text.toString();
  }

  private void copy(Instruction instruction) {
    List<String> words = Dockerfile.words(instruction);
    List<BuildScript.Source> sources = new ArrayList<>();
    for (String word : words.subList(0, words.size() - 1)) {
      if (!dependsOnBase(word)) {
        sources.addAll(findSources(instruction.line(), expand(word)));
      }
    }
    String targetText = expand(words.getLast());
    String target =
        toAbsolute(
            targetText.equals(".") || targetText.equals("./")
                ? currentDirectory() + "/"
                : targetText);
    if (sources.size() > 1 && !target.endsWith("/") && !dependsOnBase(words.getLast())) {
      addProblem(instruction.line(), Message.of("dockerfile.copy-many"));
    }
    String owner = expand(instruction.flags().getOrDefault("chown", ""));
    String mode = expand(instruction.flags().getOrDefault("chmod", ""));
    script.copy(sources, target, owner, mode);
  }

  private List<BuildScript.Source> findSources(int line, String pattern) {
    String path = PathPattern.clean(pattern);
    if (("/" + path + "/").contains("/../")) {
      addProblem(line, Message.of("dockerfile.copy-outside", "path", pattern));
      return List.of();
    }
    Optional<Boolean> directory = files.isDirectory(path);
    if (directory.isPresent()) {
      return List.of(new BuildScript.Source(path, directory.get()));
    }
    Optional<List<String>> matchingPaths =
        PathPattern.isPattern(path) ? matches.find(PathPattern.of(path)) : Optional.of(List.of());
    if (matchingPaths.isEmpty()) {
      addProblem(line, Message.of("dockerfile.copy-much", "path", pattern));
    } else if (matchingPaths.get().isEmpty()) {
      addProblem(line, Message.of("dockerfile.copy-missing", "path", pattern));
    }
    return matchingPaths.orElse(List.of()).stream()
        .map(match -> new BuildScript.Source(match, files.isDirectory(match).orElse(false)))
        .toList();
  }

  private void addProblem(int line, Message message) {
    problems.add(DockerfileReader.problem(line, message));
  }
}
