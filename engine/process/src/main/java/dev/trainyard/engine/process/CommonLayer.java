package dev.trainyard.engine.process;

import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.process.HostView.Layered;
import dev.trainyard.engine.process.HostView.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * The overlay layers between the host's directories and the task's layers, for a server that runs
 * as an ordinary user. They are the same for all tasks and define which directories are hidden,
 * empty or writable. Created once, in a directory named after the content, and never changed,
 * because running tasks use it.
 */
record CommonLayer(Path place) {
  /**
   * @param data the server's data directory, by its real path
   * @param writable directories of root that tasks may add files to
   * @param secrets files that appear empty to tasks
   */
  static CommonLayer make(Path data, HostView view, List<Path> writable, List<Path> secrets)
      throws IOException {
    // Not the whole view, because the mounts below other directories change often.
    List<Path> layered = view.layered().stream().sorted().toList();
    String content =
        List.of(layered, view.hidden(), writable, secrets, Layer.ENVIRONMENT_FILE).toString();
    String name = "user-" + Scripts.hash(content);
    CommonLayer layer = new CommonLayer(data.resolve("layers").resolve(name.substring(0, 32)));
    if (!Files.isDirectory(layer.place)) {
      Path draft = Files.createTempDirectory(layer.place.getParent(), ".draft");
      new CommonLayer(draft).fill(view, writable, secrets);
      Files.move(draft, layer.place, StandardCopyOption.ATOMIC_MOVE);
    }
    return layer;
  }

  private void fill(HostView view, List<Path> writable, List<Path> secrets) throws IOException {
    for (Part part : view.parts()) {
      if (part instanceof Layered layered) {
        directory(of(layered, layered.path()), 0755);
        Path environment = Path.of("/" + Layer.ENVIRONMENT);
        if (layered.path().equals(environment.getParent())) {
          Files.createSymbolicLink(of(layered, environment), Path.of(Layer.ENVIRONMENT_FILE));
        }
        for (Path path : writable) {
          if (path.startsWith(layered.path())) {
            directory(of(layered, path), 0755);
          }
        }
        for (Path secret : secrets) {
          if (secret.startsWith(layered.path()) && !view.isHidden(secret)) {
            directory(of(layered, secret.getParent()), 0755);
            Files.createFile(of(layered, secret));
          }
        }
        for (Path hidden : view.hiddenIn(layered)) {
          Path opaque = directory(of(layered, hidden), Layer.modeOf(hidden));
          Linux.extendedAttribute(opaque.toString(), "user.overlay.opaque", "y");
        }
      }
    }
  }

  private static Path directory(Path path, int mode) throws IOException {
    Files.createDirectories(path);
    Linux.changeMode(path.toString(), mode);
    return path;
  }

  /** Returns where a path of a part is in this layer, whether or not it exists there. */
  Path of(Layered part, Path path) {
    return place.resolve(part.path().getFileName()).resolve(part.path().relativize(path));
  }

  /**
   * Returns the path relative to the directory of a task, so that the data directory can have any
   * name.
   */
  String lower(Layered part) {
    return "../../layers/" + place.getFileName() + "/" + part.path().getFileName();
  }
}
