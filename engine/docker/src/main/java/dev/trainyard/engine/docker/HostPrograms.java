package dev.trainyard.engine.docker;

import dev.trainyard.engine.EngineException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Programs of the host, found in a list of directories. */
record HostPrograms(String searchPath) {
  Optional<Path> find(String name) {
    return List.of(searchPath.split(":")).stream()
        .filter(directory -> directory.startsWith("/"))
        .map(directory -> Path.of(directory, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  String path(String name) {
    return find(name)
        .orElseThrow(() -> new EngineException("the program " + name + " is not installed"))
        .toString();
  }
}
