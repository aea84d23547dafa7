package dev.trainyard.dist;

import dev.trainyard.engine.Engine;
import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.process.ProcessEngine;
import dev.trainyard.engine.process.ProcessEngineConfig;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.Foundation;
import dev.trainyard.server.config.Settings;
import dev.trainyard.server.user.User;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the engine that {@code --engine} names. */
final class Engines {
  private static final Logger LOG = LoggerFactory.getLogger(Engines.class);

  private Engines() {}

  static Engine choose(Foundation foundation) {
    String wanted = foundation.settings().value(Settings.ENGINE);
    Engine engine =
        switch (wanted) {
          case "auto", "process" -> process(foundation);
          default ->
              throw new AppException(
                  ErrorCode.BAD_REQUEST, Message.of("config.engine-later", "engine", wanted));
        };
    LOG.info("the {} engine runs the tasks", engine.name());
    return engine;
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
      throw new AppException(
          ErrorCode.BAD_REQUEST, Message.of("config.engine-failed", "detail", e.getMessage()));
    }
  }

  /** The data directory is hidden as a whole; these may lie anywhere. */
  private static List<Path> secrets(Settings settings) {
    return Stream.of(Settings.CONFIG, Settings.TLS_KEY, Settings.TLS_CERT)
        .flatMap(setting -> settings.value(setting).stream())
        .toList();
  }
}
