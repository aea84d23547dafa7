package dev.trainyard.dist;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.docker.DockerConnection;
import dev.trainyard.model.Message;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The first engine for containers that answers and can be used.
 *
 * @param found empty if there is none, or none was looked for
 * @param why what was looked at before is not it; empty if nothing was
 */
record EngineSearch(Optional<DockerConnection> found, Optional<Message> why) {
  static final EngineSearch NOT_NEEDED = new EngineSearch(Optional.empty(), Optional.empty());

  /**
   * @param sockets at least one
   * @param sought names of the engines that will do
   */
  static EngineSearch among(List<Path> sockets, Set<String> sought) {
    List<Message> problems = new ArrayList<>();
    for (Path socket : sockets) {
      // Looked at first: the library for it takes its time to load.
      if (!Files.exists(socket)) {
        continue;
      }
      try {
        DockerConnection connection = DockerConnection.open(socket);
        Optional<Message> unfit = unfit(connection, sought);
        if (unfit.isEmpty()) {
          return new EngineSearch(Optional.of(connection), joined(problems));
        }
        connection.close();
        problems.add(unfit.get());
      } catch (EngineException e) {
        problems.add(Message.of("config.engine-no-answer", "why", e.getMessage()));
      }
    }
    if (problems.isEmpty()) {
      problems.add(Message.of("config.engine-no-socket", "socket", sockets.getFirst().toString()));
    }
    return new EngineSearch(Optional.empty(), joined(problems));
  }

  private static Optional<Message> unfit(DockerConnection connection, Set<String> sought) {
    Optional<String> code = Optional.empty();
    if (!sought.contains(connection.engine())) {
      code = Optional.of("config.engine-not-sought");
    } else if (connection.movesIds()) {
      code = Optional.of("config.engine-moves-ids");
    }
    return code.map(text -> Message.of(text, "engine", EngineChoice.title(connection.engine())))
        .map(message -> message.with("socket", connection.socket().toString()));
  }

  private static Optional<Message> joined(List<Message> problems) {
    return problems.stream()
        .reduce(
            (first, next) -> Message.of("config.engine-and", "first", first).with("next", next));
  }
}
