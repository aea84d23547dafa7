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
import dev.trainyard.server.Foundation;
import dev.trainyard.server.config.Settings;
import dev.trainyard.server.job.AttemptStore;
import dev.trainyard.server.user.User;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the engine that {@code --engine} names. */
final class Engines {
  private static final Logger LOG = LoggerFactory.getLogger(Engines.class);

  private Engines() {}

  /** The engine with the reason why it is this one. */
  record Chosen(Engine engine, Message reason) {}

  static Chosen choose(Foundation foundation) {
    String wanted = foundation.settings().value(Settings.ENGINE);
    Map<String, Integer> unfinished = foundation.db().read(AttemptStore::unfinishedByEngine);
    Path socket = DockerSocket.find(foundation.settings().value(Settings.DOCKER_SOCKET));
    Optional<DockerConnection> docker = Optional.empty();
    Optional<String> noDocker = Optional.empty();
    if (!wanted.equals(EngineChoice.PROCESS)) {
      try {
        // Looked at first: the library for it takes its time to load.
        if (!Files.exists(socket)) {
          throw new EngineException("there is no Docker engine: " + socket + " does not exist");
        }
        docker = Optional.of(DockerConnection.open(socket));
      } catch (EngineException e) {
        noDocker = Optional.of(e.getMessage());
      }
    }
    EngineChoice choice = EngineChoice.of(wanted, unfinished, noDocker);
    Chosen chosen = open(foundation, choice, docker, noDocker);
    LOG.info("the {} engine runs the tasks: {}", chosen.engine().name(), chosen.reason().english());
    return chosen;
  }

  private static Chosen open(
      Foundation foundation,
      EngineChoice choice,
      Optional<DockerConnection> docker,
      Optional<String> noDocker) {
    return switch (choice.engine()) {
      case EngineChoice.PROCESS -> new Chosen(process(foundation), choice.reason());
      case EngineChoice.DOCKER -> docker(foundation, choice, docker, noDocker);
      default ->
          throw new AppException(
              ErrorCode.BAD_REQUEST, Message.of("config.engine-later", "engine", choice.engine()));
    };
  }

  private static Chosen docker(
      Foundation foundation,
      EngineChoice choice,
      Optional<DockerConnection> docker,
      Optional<String> noDocker) {
    try {
      DockerConnection connection =
          docker.orElseThrow(() -> new EngineException(noDocker.orElseThrow()));
      return new Chosen(new DockerEngine(config(foundation, connection)), choice.reason());
    } catch (EngineException e) {
      docker.ifPresent(DockerConnection::close);
      if (choice.sure()) {
        throw failed(e);
      }
      Message why = Message.of("config.engine-docker-unfit", "why", e.getMessage());
      return new Chosen(process(foundation), why);
    }
  }

  private static DockerEngineConfig config(Foundation foundation, DockerConnection connection) {
    Settings settings = foundation.settings();
    List<String> published = settings.value(Settings.PUBLISH_ADDRESS);
    return DockerEngineConfig.of(
            foundation.directory().path(), connection, settings.value(Settings.CAPACITY))
        .withNetworks(AddressRange.parse(settings.value(Settings.DOCKER_NETWORKS)))
        .withPublishAddresses(
            published.isEmpty() ? List.of(settings.value(Settings.HOST)) : published);
  }

  private static Engine process(Foundation foundation) {
    try {
      Settings settings = foundation.settings();
      return new ProcessEngine(
          ProcessEngineConfig.of(foundation.directory().path(), settings.value(Settings.CAPACITY))
              .withSecrets(secrets(settings))
              .withTrusted(
                  name -> foundation.users().find(name).filter(User::admin).isPresent(),
                  settings.value(Settings.UNSAFE_PLAIN_PROCESSES)));
    } catch (EngineException e) {
      throw failed(e);
    }
  }

  private static AppException failed(EngineException e) {
    return new AppException(
        ErrorCode.BAD_REQUEST, Message.of("config.engine-failed", "detail", e.getMessage()));
  }

  /** The data directory is hidden as a whole; these may lie anywhere. */
  private static List<Path> secrets(Settings settings) {
    return Stream.of(Settings.CONFIG, Settings.TLS_KEY, Settings.TLS_CERT)
        .flatMap(setting -> settings.value(setting).stream())
        .toList();
  }
}
