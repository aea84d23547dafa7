package dev.trainyard.engine.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes the layers that take a task's changes to the machine's file systems. */
final class Layers {
  private final Path dataDirectory;
  private final List<Path> fileSystems;

  Layers(Path dataDirectory, List<Path> fileSystems) {
    this.dataDirectory = dataDirectory;
    this.fileSystems = fileSystems;
  }

  /**
   * @param files the task's own versions of files of the root, by their path without the first
   *     slash
   */
  void make(TaskDirectory task, IdRange ids, Map<String, String> files) throws IOException {
    for (MountStep step : RootPlan.views(fileSystems)) {
      if (step instanceof MountStep.CopyOnWrite view) {
        for (String part : List.of("upper", "work")) {
          Files.createDirectories(task.layer(view.layer(), part));
        }
        Path upper = task.layer(view.layer(), "upper");
        // The layer's top stands for the machine's directory, and its mode is what the task sees.
        Linux.changeOwner(Linux.AT_FDCWD, upper.toString(), ids.base(), ids.base());
        Linux.changeMode(upper.toString(), 0755);
        if (view.target().equals("/")) {
          Layer.fillRoot(upper, ids, dataDirectory, files);
        } else {
          Layer.fillOther(view.source(), upper, ids, dataDirectory);
        }
      }
    }
  }

  static Map<String, String> ownFiles(String hostName) throws IOException {
    Map<String, String> files = new LinkedHashMap<>();
    files.put("etc/hostname", hostName + "\n");
    files.put("etc/hosts", "");
    try {
      // Often a link to below /run, which a task has its own of.
      files.put("etc/resolv.conf", Files.readString(Path.of("/etc/resolv.conf")));
    } catch (NoSuchFileException e) {
      // a machine without name servers
    }
    return files;
  }
}
