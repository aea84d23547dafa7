package dev.trainyard.server.file;

import dev.trainyard.server.backup.Descriptor;
import dev.trainyard.server.backup.RawName;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Packs a directory that its owner may change at any moment. Every step is taken from an open
 * directory and by a name that is not followed, so nothing outside is ever read. Links are left
 * out: whoever unpacks must not be led anywhere. So is what vanishes or can't be read.
 */
final class TreeArchive {
  private static final Logger LOG = LoggerFactory.getLogger(TreeArchive.class);

  /** Each level keeps a descriptor open. */
  private static final int DEEPEST = 400;

  /** How files are written one behind the other. Names are bytes, as Latin-1. */
  interface Packer {
    void directory(String name, HeldFile.Facts facts) throws IOException;

    void file(String name, HeldFile.Facts facts, InputStream content) throws IOException;

    void finish() throws IOException;
  }

  private final Packer packer;
  private final BooleanSupplier stillAllowed;

  TreeArchive(Packer packer, BooleanSupplier stillAllowed) {
    this.packer = packer;
    this.stillAllowed = stillAllowed;
  }

  /**
   * @param name of the only thing at the top of the archive
   */
  void write(HeldFile root, String name) throws IOException {
    packer.directory(name, root.facts());
    children(root.path(), name, 0);
    packer.finish();
  }

  private void children(Path directory, String name, int depth) throws IOException {
    if (!stillAllowed.getAsBoolean()) {
      throw new IOException("the sign-in is no longer valid");
    }
    if (depth == DEEPEST) {
      skip(name, "it is too deep");
      return;
    }
    List<Path> children = new ArrayList<>();
    try (DirectoryStream<Path> listed = Files.newDirectoryStream(directory)) {
      listed.forEach(children::add);
    } catch (IOException | DirectoryIteratorException e) {
      skip(name, e.getMessage());
    }
    for (Path child : children) {
      child(child, name + "/" + RawName.of(child.getFileName()), depth);
    }
  }

  private void child(Path child, String name, int depth) throws IOException {
    Descriptor opened;
    try {
      opened = Descriptor.file(child);
    } catch (IOException e) {
      skip(name, e.getMessage());
      return;
    }
    // From here on it is the same thing, whatever the name becomes.
    try (opened) {
      HeldFile.Facts facts = HeldFile.facts(opened.path());
      switch (facts.kind()) {
        case DIRECTORY -> {
          packer.directory(name, facts);
          children(opened.path(), name, depth + 1);
        }
        case FILE -> file(opened.path(), name, facts);
        case LINK, OTHER -> skip(name, "it is no file");
      }
    }
  }

  private void file(Path path, String name, HeldFile.Facts facts) throws IOException {
    InputStream content;
    try {
      content = Files.newInputStream(path);
    } catch (IOException e) {
      skip(name, e.getMessage());
      return;
    }
    try (content) {
      packer.file(name, facts, content);
    }
  }

  private static void skip(String name, String why) {
    LOG.debug("{} is not in the archive: {}", name, why);
  }
}
