package dev.trainyard.dist;

import dev.trainyard.engine.Engine;
import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.docker.AddressRange;
import dev.trainyard.engine.docker.DockerConnection;
import dev.trainyard.engine.docker.DockerEngine;
import dev.trainyard.engine.docker.DockerEngineConfig;
import dev.trainyard.engine.process.ProcessEngine;
import dev.trainyard.engine.process.ProcessEngineConfig;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.CoreServices;
import dev.trainyard.server.config.Settings;
import dev.trainyard.server.job.AttemptStore;
import dev.trainyard.server.user.User;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the engine according to the setting {@code engine}. */
final class Engines {
  private static final Logger LOG = LoggerFactory.getLogger(Engines.class);

  private Engines() {}

  /** An engine with the reason why it was chosen. */
  record Chosen(Engine engine, Message reason) {}

  static Chosen choose(CoreServices coreServices) {
    Settings settings = coreServices.settings();
    String wanted = settings.value(Settings.ENGINE);
    Map<String, Integer> unfinished = coreServices.db().read(AttemptStore::unfinishedByEngine);
    Set<String> sought = EngineChoice.sought(wanted, unfinished);
    EngineSearch search =
        sought.isEmpty()
            ? EngineSearch.NOT_NEEDED
            : EngineSearch.among(
                DockerSocket.candidates(settings.value(Settings.DOCKER_SOCKET), System.getenv()),
                sought);
    Optional<EngineChoice.Answer> answer =
        search
            .found()
            .map(found -> new EngineChoice.Answer(found.engine(), found.socket().toString()));
    EngineChoice choice = EngineChoice.of(wanted, unfinished, answer, search.why());
    Chosen chosen = open(coreServices, choice, search);
    LOG.info("the {} engine runs the tasks: {}", chosen.engine().name(), chosen.reason().english());
    return chosen;
  }

  private static Chosen open(CoreServices coreServices, EngineChoice choice, EngineSearch search) {
    return switch (choice.engine()) {
      case EngineChoice.PROCESS -> new Chosen(process(coreServices), choice.reason());
      case EngineChoice.DOCKER, EngineChoice.PODMAN -> containers(coreServices, choice, search);
      default ->
          throw new AppException(
              ErrorCode.BAD_REQUEST, Message.of("config.engine-later", "engine", choice.engine()));
    };
  }

  private static Chosen containers(
      CoreServices coreServices, EngineChoice choice, EngineSearch search) {
    DockerConnection connection =
        search.found().orElseThrow(() -> failed(search.why().orElseThrow()));
    try {
      return new Chosen(new DockerEngine(config(coreServices, connection)), choice.reason());
    } catch (EngineException e) {
      connection.close();
      if (choice.sure()) {
        throw failed(e.getMessage());
      }
      Message why =
          Message.of("config.engine-unfit", "engine", EngineChoice.title(connection.engine()))
              .with("socket", connection.socket().toString())
              .with("why", e.getMessage());
      return new Chosen(process(coreServices), why);
    }
  }

  private static DockerEngineConfig config(CoreServices coreServices, DockerConnection connection) {
    Settings settings = coreServices.settings();
    List<String> published = settings.value(Settings.PUBLISH_ADDRESS);
    return DockerEngineConfig.of(
            coreServices.directory().path(), connection, settings.value(Settings.CAPACITY))
        .withNetworks(AddressRange.parse(settings.value(Settings.DOCKER_NETWORKS)))
        .withPublishAddresses(
            published.isEmpty() ? List.of(settings.value(Settings.HOST)) : published);
  }

  private static Engine process(CoreServices coreServices) {
    try {
      Settings settings = coreServices.settings();
      return new ProcessEngine(
          ProcessEngineConfig.of(coreServices.directory().path(), settings.value(Settings.CAPACITY))
              .withSecrets(secrets(settings))
              .withTrusted(
                  name -> coreServices.users().find(name).filter(User::admin).isPresent(),
                  settings.value(Settings.UNSAFE_PLAIN_PROCESSES)));
    } catch (EngineException e) {
      throw failed(e.getMessage());
    }
  }

  private static AppException failed(Object detail) {
    return new AppException(
        ErrorCode.BAD_REQUEST, Message.of("config.engine-failed", "detail", detail));
  }

  /**
   * Files to hide from tasks that may be outside the data directory, which is hidden completely.
   */
  private static List<Path> secrets(Settings settings) {
    return Stream.of(Settings.CONFIG, Settings.TLS_KEY, Settings.TLS_CERT)
        .flatMap(setting -> settings.value(setting).stream())
        .toList();
  }
}
