package dev.trainyard.engine.process;

import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.process.HostView.OverlayDirectory;
import dev.trainyard.engine.process.HostView.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * The overlay layers between the host's directories and the task's layers, for a server that runs
 * as an ordinary user. All tasks use these layers, which define the directories that are hidden,
 * empty or writable. The layers are created once, in a directory named after the hash of their
 * content, and never changed, because running tasks use them.
 */
record CommonLayer(Path directory) {
  /**
   * @param data the server's data directory, by its real path
   * @param writableDirectories directories of the host's root user to which tasks may add files
   * @param secrets files that appear empty to tasks
   */
  static CommonLayer create(
      Path data, HostView view, List<Path> writableDirectories, List<Path> secrets)
      throws IOException {
    // The name does not depend on the complete view, because the mounts below other directories
    // change often.
    List<Path> overlayPaths = view.overlayPaths().stream().sorted().toList();
    String content =
        List.of(
                overlayPaths,
                view.hiddenDirectories(),
                writableDirectories,
                secrets,
                Layer.ENVIRONMENT_LINK_TARGET)
            .toString();
    String name = "user-" + Scripts.hash(content);
    CommonLayer layer = new CommonLayer(data.resolve("layers").resolve(name.substring(0, 32)));
    if (!Files.isDirectory(layer.directory)) {
      Path draft = Files.createTempDirectory(layer.directory.getParent(), ".draft");
      new CommonLayer(draft).fill(view, writableDirectories, secrets);
      Files.move(draft, layer.directory, StandardCopyOption.ATOMIC_MOVE);
    }
    return layer;
  }

  private void fill(HostView view, List<Path> writableDirectories, List<Path> secrets)
      throws IOException {
    for (Part part : view.parts()) {
      if (part instanceof OverlayDirectory overlayDirectory) {
        createDirectory(pathOf(overlayDirectory, overlayDirectory.path()), 0755);
        Path environment = Path.of("/" + Layer.ENVIRONMENT_LINK);
        if (overlayDirectory.path().equals(environment.getParent())) {
          Files.createSymbolicLink(
              pathOf(overlayDirectory, environment), Path.of(Layer.ENVIRONMENT_LINK_TARGET));
        }
        for (Path path : writableDirectories) {
          if (path.startsWith(overlayDirectory.path())) {
            createDirectory(pathOf(overlayDirectory, path), 0755);
          }
        }
        for (Path secret : secrets) {
          if (secret.startsWith(overlayDirectory.path()) && !view.isHidden(secret)) {
            createDirectory(pathOf(overlayDirectory, secret.getParent()), 0755);
            Files.createFile(pathOf(overlayDirectory, secret));
          }
        }
        for (Path hiddenDirectory : view.hiddenDirectoriesIn(overlayDirectory)) {
          Path opaque =
              createDirectory(
                  pathOf(overlayDirectory, hiddenDirectory), Layer.modeOf(hiddenDirectory));
          Linux.setExtendedAttribute(opaque.toString(), "user.overlay.opaque", "y");
        }
      }
    }
  }

  private static Path createDirectory(Path path, int mode) throws IOException {
    Files.createDirectories(path);
    Linux.changeMode(path.toString(), mode);
    return path;
  }

  /** Returns the path in this layer that corresponds to a host path; the path need not exist. */
  Path pathOf(OverlayDirectory part, Path path) {
    return directory.resolve(part.path().getFileName()).resolve(part.path().relativize(path));
  }

  /**
   * Returns the path of a layer relative to the directory of a task, so that the path of the data
   * directory does not occur in mount options, where some characters would have to be escaped.
   */
  String lowerDirectory(OverlayDirectory part) {
    return "../../layers/" + directory.getFileName() + "/" + part.path().getFileName();
  }
}
