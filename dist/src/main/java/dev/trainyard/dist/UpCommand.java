package dev.trainyard.dist;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.api.LocalServer;
import dev.trainyard.cli.server.StatusSummary;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.Server;
import dev.trainyard.server.config.DatabasePassword;
import dev.trainyard.server.config.Setting;
import dev.trainyard.server.config.Settings;
import dev.trainyard.server.config.SettingsReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.IGetter;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** {@code up}: starts the server. Each setting of the server is an option of this command. */
@picocli.CommandLine.Command(name = "up")
final class UpCommand extends Command {
  private final Map<String, String> optionValues = new LinkedHashMap<>();

  @Option(names = {"-d", "--detach"})
  private boolean detach;

  private UpCommand(Session session) {
    super(session);
  }

  static CommandSpec spec(Session session) {
    UpCommand command = new UpCommand(session);
    CommandSpec spec = CommandSpec.forAnnotatedObject(command);
    for (Setting<?> setting : Settings.ALL) {
      // The data directory is an option of every command.
      if (!setting.equals(Settings.DATA)) {
        spec.addOption(command.option(setting));
      }
    }
    return spec;
  }

  private OptionSpec option(Setting<?> setting) {
    String code = setting.defaultText().isEmpty() ? "cli.up.option" : "cli.up.option-default";
    String text =
        text(
            code,
            "text",
            localizer().text(setting.description()),
            "variable",
            setting.environmentVariable(),
            "standard",
            setting.defaultText());
    OptionSpec.Builder option = OptionSpec.builder("--" + setting.name());
    if (setting.isRepeatable()) {
      option.type(List.class).auxiliaryTypes(String.class);
    } else {
      option.type(String.class);
    }
    OptionValue value = new OptionValue(setting.name());
    return option
        .paramLabel("VALUE")
        .arity(setting.isFlag() ? "0..1" : "1")
        .fallbackValue(setting.isFlag() ? "true" : "")
        .description(text.replace("%", "%%"))
        .getter(value)
        .setter(value)
        .build();
  }

  /**
   * Stores the value of an option as text. Also keeps the value as an object, because for a
   * repeated option the parser reads the list and adds the next value to it.
   */
  private final class OptionValue implements IGetter, ISetter {
    private final String name;
    private Object current;

    OptionValue(String name) {
      this.name = name;
    }

    @Override
    // The interface requires the type parameter; the actual type depends on the option.
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    public <T> T get() {
      return (T) current;
    }

    @Override
    @SuppressWarnings("unchecked") // the interface requires the old value
    public <T> T set(T value) {
      T previous = (T) current;
      current = value;
      if (value == null) {
        optionValues.remove(name);
      } else {
        optionValues.put(name, joined(value));
      }
      return previous;
    }
  }

  /** Returns the text of a value; a repeated option has a list of values. */
  private static String joined(Object value) {
    return value instanceof List<?> values
        ? values.stream().map(String::valueOf).collect(Collectors.joining(","))
        : (String) value;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (DatabasePassword.isIn(optionValues.getOrDefault(Settings.DB.name(), ""))) {
      terminal().note(text("cli.password-in-arguments"));
    }
    return detach ? startDetached() : runInForeground();
  }

  private int startDetached() {
    if (Boolean.parseBoolean(optionValues.get(Settings.STANDBY.name()))) {
      throw new AppException(ErrorCode.BAD_REQUEST, Message.of("cli.up.standby-foreground"));
    }
    Optional<LocalServer> runningServer = DetachedServer.findResponding(session().data());
    if (runningServer.isPresent()) {
      terminal()
          .line(
              session().json()
                  ? toJson(runningServer.get())
                  : alreadyRunningText(runningServer.get()));
      return ExitCode.OK;
    }
    List<String> options = new ArrayList<>();
    optionValues.forEach((name, value) -> options.add("--" + name + "=" + value));
    LocalServer startedServer =
        session().environment().background().start(session().data(), options, session());
    if (session().json()) {
      terminal().line(toJson(startedServer));
      return ExitCode.OK;
    }
    terminal().line("Trainyard is ready at " + startedServer.address());
    new StatusSummary(session()).printIfAvailable();
    terminal().note(text("cli.up.next", "end", text("cli.up.end-background")));
    return ExitCode.OK;
  }

  private int runInForeground() throws InterruptedException {
    optionValues.put(Settings.DATA.name(), session().data().toString());
    Settings settings = SettingsReader.read(optionValues, session().environment().env());
    Optional<LocalServer> runningServer = DetachedServer.findResponding(session().data());
    if (runningServer.isPresent() && !settings.value(Settings.STANDBY)) {
      terminal().note(alreadyRunningText(runningServer.get()));
      return ExitCode.FAILED;
    }
    Server server = ServerAssembly.start(settings, session().environment().env()).closeAtExit();
    boolean interactive =
        !session().environment().env().containsKey(DetachedServer.DETACHED_VARIABLE);
    if (interactive) {
      server.generatedPassword().ifPresent(this::showPassword);
    }
    terminal().line("Trainyard is ready at " + server.url());
    if (interactive) {
      new StatusSummary(session()).print(new Json(server.status()));
      terminal().note(text("cli.up.next", "end", text("cli.up.end-foreground")));
    }
    new CountDownLatch(1).await();
    return ExitCode.OK;
  }

  private void showPassword(String password) {
    terminal()
        .line(
            text(
                "cli.up.password",
                "password",
                password,
                "file",
                session().data().resolve("admin-password")));
  }

  private static String toJson(LocalServer server) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("url", server.address().toString());
    fields.put("pid", server.pid());
    return new Json(fields).text();
  }

  private String alreadyRunningText(LocalServer server) {
    return text(
        "cli.up.already", "data", session().data(), "url", server.address(), "pid", server.pid());
  }
}
