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
  record EngineWithReason(Engine engine, Message reason) {}

  static EngineWithReason choose(CoreServices coreServices) {
    Settings settings = coreServices.settings();
    String setting = settings.value(Settings.ENGINE);
    Map<String, Integer> unfinished = coreServices.db().read(AttemptStore::unfinishedByEngine);
    Set<String> acceptableEngines = EngineChoice.acceptableEngines(setting, unfinished);
    EngineSearch search =
        acceptableEngines.isEmpty()
            ? EngineSearch.NOT_NEEDED
            : EngineSearch.tryAll(
                DockerSocket.candidates(settings.value(Settings.DOCKER_SOCKET), System.getenv()),
                acceptableEngines);
    Optional<EngineChoice.ContainerEngine> containerEngine =
        search
            .connection()
            .map(
                connection ->
                    new EngineChoice.ContainerEngine(
                        connection.engine(), connection.socket().toString()));
    EngineChoice choice = EngineChoice.of(setting, unfinished, containerEngine, search.problem());
    EngineWithReason engineWithReason = open(coreServices, choice, search);
    LOG.info(
        "the {} engine runs the tasks: {}",
        engineWithReason.engine().name(),
        engineWithReason.reason().english());
    return engineWithReason;
  }

  private static EngineWithReason open(
      CoreServices coreServices, EngineChoice choice, EngineSearch search) {
    return switch (choice.engine()) {
      case EngineChoice.PROCESS ->
          new EngineWithReason(openProcessEngine(coreServices), choice.reason());
      case EngineChoice.DOCKER, EngineChoice.PODMAN ->
          openContainerEngine(coreServices, choice, search);
      default ->
          throw new AppException(
              ErrorCode.BAD_REQUEST, Message.of("config.engine-later", "engine", choice.engine()));
    };
  }

  private static EngineWithReason openContainerEngine(
      CoreServices coreServices, EngineChoice choice, EngineSearch search) {
    DockerConnection connection =
        search.connection().orElseThrow(() -> failure(search.problem().orElseThrow()));
    try {
      return new EngineWithReason(
          new DockerEngine(dockerConfig(coreServices, connection)), choice.reason());
    } catch (EngineException e) {
      connection.close();
      if (choice.isFixed()) {
        throw failure(e.getMessage());
      }
      Message reason =
          Message.of("config.engine-unfit", "engine", EngineChoice.productName(connection.engine()))
              .with("socket", connection.socket().toString())
              .with("why", e.getMessage());
      return new EngineWithReason(openProcessEngine(coreServices), reason);
    }
  }

  private static DockerEngineConfig dockerConfig(
      CoreServices coreServices, DockerConnection connection) {
    Settings settings = coreServices.settings();
    List<String> publishAddresses = settings.value(Settings.PUBLISH_ADDRESS);
    return DockerEngineConfig.of(
            coreServices.directory().path(), connection, settings.value(Settings.CAPACITY))
        .withNetworks(AddressRange.parse(settings.value(Settings.DOCKER_NETWORKS)))
        .withPublishAddresses(
            publishAddresses.isEmpty() ? List.of(settings.value(Settings.HOST)) : publishAddresses);
  }

  private static Engine openProcessEngine(CoreServices coreServices) {
    try {
      Settings settings = coreServices.settings();
      return new ProcessEngine(
          ProcessEngineConfig.of(coreServices.directory().path(), settings.value(Settings.CAPACITY))
              .withSecrets(secretFiles(settings))
              .withTrustedUsers(
                  name -> coreServices.users().find(name).filter(User::admin).isPresent(),
                  settings.value(Settings.UNSAFE_PLAIN_PROCESSES)));
    } catch (EngineException e) {
      throw failure(e.getMessage());
    }
  }

  private static AppException failure(Object detail) {
    return new AppException(
        ErrorCode.BAD_REQUEST, Message.of("config.engine-failed", "detail", detail));
  }

  /**
   * Returns the files that may be outside the data directory and must be hidden from tasks. The
   * data directory itself is hidden completely.
   */
  private static List<Path> secretFiles(Settings settings) {
    return Stream.of(Settings.CONFIG, Settings.TLS_KEY, Settings.TLS_CERT)
        .flatMap(setting -> settings.value(setting).stream())
        .toList();
  }
}
