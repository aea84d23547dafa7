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
 * of its base image. Deterministic.
 */
public final class BuildPlan {
  /** Path at which the task of a build sees the build context. */
  public static final String CONTEXT = BuildScript.CONTEXT;

  /**
   * Arguments that may be given to a build without an ARG instruction and are not stored in the
   * image.
   */
  private static final Set<String> ALWAYS =
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
   * @param script for a shell of the image, run as root
   * @param problems missing files; the script is then incomplete
   */
  public record Outcome(String script, ImageSettings settings, List<Problem> problems) {}

  private final Map<String, String> given;
  private final ContextFiles files;
  private final PatternMatches matches;
  private final boolean baseKnown;
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
  private boolean commandSet;
  private String stopSignal;
  private List<String> shell;

  private BuildPlan(
      Map<String, String> given, Optional<ImageSettings> base, ContextFiles files, int steps) {
    ImageSettings from = base.orElse(ImageSettings.NONE);
    this.given = given;
    this.files = files;
    this.matches = new PatternMatches(files);
    this.baseKnown = base.isPresent();
    this.script = new BuildScript(steps);
    this.environment = new LinkedHashMap<>(from.environment());
    this.labels = new LinkedHashMap<>(from.labels());
    this.ports = new LinkedHashSet<>(from.ports());
    this.volumes = new LinkedHashSet<>(from.volumes());
    this.user = from.user();
    this.directory = from.workingDirectory();
    this.entrypoint = from.entrypoint();
    this.command = from.command();
    this.stopSignal = from.stopSignal();
    this.shell = from.shell();
  }

  /**
   * @param arguments arguments given to the build
   * @param base empty while unknown; what depends on it is then not checked
   */
  public static Outcome of(
      Dockerfile dockerfile,
      Map<String, String> arguments,
      Optional<ImageSettings> base,
      ContextFiles files) {
    List<Instruction> all = dockerfile.instructions();
    BuildPlan plan = new BuildPlan(arguments, base, files, all.size());
    arguments.forEach(
        (name, value) -> {
          if (ALWAYS.contains(name)) {
            plan.variables.put(name, value);
          }
        });
    boolean begun = false;
    Map<String, String> before = new LinkedHashMap<>();
    for (Instruction instruction : all) {
      plan.script.step(instruction);
      begun = begun || instruction.keyword().equals("FROM");
      if (begun) {
        plan.apply(instruction, before);
      } else {
        plan.argument(instruction, before, false);
      }
    }
    return new Outcome(
        plan.script.end("All steps completed; creating the image"), plan.settings(), plan.problems);
  }

  /** Returns whether an argument may be given although no ARG names it. */
  public static boolean isUsual(String argument) {
    return ALWAYS.contains(argument);
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

  private Optional<String> lookup(String name) {
    String set = environment.get(name);
    return Optional.ofNullable(set == null ? arguments.get(name) : set);
  }

  private String value(String text) {
    return VariableExpansion.value(text, this::lookup);
  }

  /** Returns whether this text may depend on the base image. */
  private boolean isOpen(String text) {
    if (baseKnown) {
      return false;
    }
    boolean[] open = {false};
    VariableExpansion.value(
        text,
        name -> {
          Optional<String> found = lookup(name);
          open[0] |= found.isEmpty();
          return found;
        });
    return open[0];
  }

  private void apply(Instruction instruction, Map<String, String> before) {
    String rest = instruction.rest();
    switch (instruction.keyword()) {
      case "ARG" -> argument(instruction, before, true);
      case "ENV" -> Pairs.of(rest).forEach(pair -> set(pair.getKey(), value(pair.getValue())));
      case "LABEL" ->
          Pairs.of(rest).forEach(pair -> labels.put(value(pair.getKey()), value(pair.getValue())));
      case "MAINTAINER" -> labels.put("maintainer", rest);
      case "WORKDIR" -> {
        directory = absolute(value(rest));
        script.makeDirectory(directory);
      }
      case "USER" -> user = value(rest);
      case "RUN" -> script.run(place(), user, variables, words(instruction));
      case "COPY", "ADD" -> copy(instruction);
      case "CMD" -> {
        command = words(instruction);
        commandSet = true;
      }
      case "ENTRYPOINT" -> {
        entrypoint = words(instruction);
        // The default command of the base image has no meaning for this program.
        command = commandSet ? command : List.of();
      }
      case "EXPOSE" ->
          VariableExpansion.split(rest).stream()
              .map(this::value)
              .forEach(port -> ports.add(port.contains("/") ? port : port + "/tcp"));
      case "VOLUME" ->
          Dockerfile.words(instruction).stream().map(this::value).forEach(volumes::add);
      case "STOPSIGNAL" -> stopSignal = value(rest);
      case "SHELL" -> shell = instruction.execForm().orElseThrow();
      default -> {} // FROM and instructions without effect
    }
  }

  private void set(String name, String value) {
    environment.put(name, value);
    variables.put(name, value);
  }

  private void argument(Instruction instruction, Map<String, String> before, boolean begun) {
    Map<String, String> into = begun ? arguments : before;
    String name = Dockerfile.argumentName(instruction);
    int equals = instruction.rest().indexOf('=');
    String value = given.get(name);
    if (value == null && equals >= 0) {
      value =
          VariableExpansion.value(
              instruction.rest().substring(equals + 1),
              other -> Optional.ofNullable(into.get(other)).or(() -> lookup(other)));
    }
    if (value == null) {
      value = before.get(name);
    }
    if (value != null) {
      into.put(name, value);
      // ENV takes precedence for the commands; arguments before FROM do not apply to them.
      if (begun && !environment.containsKey(name)) {
        variables.put(name, value);
      }
    }
  }

  private String place() {
    return directory.isEmpty() ? "/" : directory;
  }

  private String absolute(String path) {
    if (path.startsWith("/")) {
      return path;
    }
    return place().endsWith("/") ? place() + path : place() + "/" + path;
  }

  /** Returns the command to run: the words themselves, or the shell with a text. */
  private List<String> words(Instruction instruction) {
    Optional<List<String>> exec = instruction.execForm().filter(words -> !words.isEmpty());
    if (exec.isPresent()) {
      return exec.get();
    }
    List<String> words = new ArrayList<>(shell.isEmpty() ? List.of("/bin/sh", "-c") : shell);
    words.add(text(instruction));
    return words;
  }

  private static String text(Instruction instruction) {
    if (instruction.documents().isEmpty()) {
      return instruction.rest();
    }
    if (instruction.rest().matches("<<-?(['\"]?)\\w+\\1")) {
      return instruction.documents().getFirst().text(); // the document is the script
    }
    StringBuilder text = new StringBuilder(instruction.rest()).append('\n');
    for (Instruction.Document document : instruction.documents()) {
      text.append(document.text()).append(document.end()).append('\n');
    }
    return text.toString();
  }

  private void copy(Instruction instruction) {
    List<String> words = Dockerfile.words(instruction);
    List<BuildScript.Source> sources = new ArrayList<>();
    for (String word : words.subList(0, words.size() - 1)) {
      if (!isOpen(word)) {
        sources.addAll(sources(instruction.line(), value(word)));
      }
    }
    String last = value(words.getLast());
    String target = absolute(last.equals(".") || last.equals("./") ? place() + "/" : last);
    if (sources.size() > 1 && !target.endsWith("/") && !isOpen(words.getLast())) {
      problem(instruction.line(), Message.of("dockerfile.copy-many"));
    }
    String owner = value(instruction.flags().getOrDefault("chown", ""));
    String mode = value(instruction.flags().getOrDefault("chmod", ""));
    script.copy(sources, target, owner, mode);
  }

  private List<BuildScript.Source> sources(int line, String written) {
    String path = PathPattern.clean(written);
    if (("/" + path + "/").contains("/../")) {
      problem(line, Message.of("dockerfile.copy-outside", "path", written));
      return List.of();
    }
    Optional<Boolean> there = files.isDirectory(path);
    if (there.isPresent()) {
      return List.of(new BuildScript.Source(path, there.get()));
    }
    Optional<List<String>> found =
        PathPattern.isPattern(path) ? matches.find(PathPattern.of(path)) : Optional.of(List.of());
    if (found.isEmpty()) {
      problem(line, Message.of("dockerfile.copy-much", "path", written));
    } else if (found.get().isEmpty()) {
      problem(line, Message.of("dockerfile.copy-missing", "path", written));
    }
    return found.orElse(List.of()).stream()
        .map(one -> new BuildScript.Source(one, files.isDirectory(one).orElse(false)))
        .toList();
  }

  private void problem(int line, Message message) {
    problems.add(DockerfileReader.problem(line, message));
  }
}
