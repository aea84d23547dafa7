package dev.trainyard.dist;

import dev.trainyard.engine.linux.MemoryExhaustion;
import dev.trainyard.model.Message;
import dev.trainyard.scheduler.FifoPlanner;
import dev.trainyard.server.CoreServices;
import dev.trainyard.server.Feature;
import dev.trainyard.server.Server;
import dev.trainyard.server.config.Logging;
import dev.trainyard.server.config.Settings;
import dev.trainyard.server.feature.JobFeature;
import dev.trainyard.server.feature.OperationsFeature;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Assembles the server from all its features; the only class that refers to all of them. */
final class ServerAssembly {
  private ServerAssembly() {}

  /** Starts the server and returns when it accepts requests. Logs to standard error. */
  static Server start(Settings settings, Map<String, String> env) {
    Logging.prepare();
    Logging.configure(settings, System.err);
    MemoryExhaustion.enable();
    Optional<String> password =
        Optional.ofNullable(env.get("TRAINYARD_ADMIN_PASSWORD")).filter(text -> !text.isEmpty());
    return Server.start(settings, password, features());
  }

  private static List<Feature.Factory> features() {
    return List.of(ServerAssembly::createJobFeature, OperationsFeature::new);
  }

  private static Feature createJobFeature(CoreServices coreServices) {
    Engines.EngineWithReason engineWithReason = Engines.choose(coreServices);
    coreServices.status().add("engineReason", () -> engineWithReason.reason().english());
    coreServices.status().add("engineReasons", () -> reasonViews(engineWithReason.reason()));
    return new JobFeature(coreServices, engineWithReason.engine(), new FifoPlanner());
  }

  private static List<Map<String, Object>> reasonViews(Message reason) {
    return EngineChoice.parts(reason).stream()
        .map(
            part -> {
              Map<String, Object> view = new LinkedHashMap<>();
              view.put("code", part.code());
              view.put("message", part.english());
              view.put("params", part.params());
              return view;
            })
        .toList();
  }
}
