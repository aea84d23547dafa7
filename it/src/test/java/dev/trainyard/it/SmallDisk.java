package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.testkit.Requirement;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A small file system that a test can fill. */
record SmallDisk(Path mountPoint) implements AutoCloseable {
  static SmallDisk mount(Path mountPoint, String size) throws IOException {
    boolean root = "root".equals(System.getProperty("user.name"));
    Requirement.require("root", root, "only root can mount a small disk");
    run("mount", "-t", "tmpfs", "-o", "mode=700,size=" + size, "tmpfs", mountPoint.toString());
    return new SmallDisk(mountPoint);
  }

  /**
   * Mounts a disk with few inodes. Additional hard links of a file need no inode there, unlike in
   * tmpfs.
   */
  static SmallDisk mountWithInodes(Path mountPoint, int inodes) throws IOException {
    boolean root = "root".equals(System.getProperty("user.name"));
    Requirement.require("root", root, "only root can mount a small disk");
    Path image = mountPoint.resolveSibling(mountPoint.getFileName() + ".img");
    run("truncate", "--size", "256M", image.toString());
    run("mkfs.ext4", "-q", "-N", Integer.toString(inodes), image.toString());
    run("mount", "-o", "loop", image.toString(), mountPoint.toString());
    return new SmallDisk(mountPoint);
  }

  /** Writes to a file until the file system is full. */
  static void fill(Path file) {
    byte[] block = new byte[4096];
    try (OutputStream out = Files.newOutputStream(file)) {
      while (true) {
        out.write(block);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
  }

  @Override
  public void close() throws IOException {
    run("umount", "--lazy", mountPoint.toString());
  }

  private static void run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.onExit().join();
    assertThat(process.exitValue()).as(String.join(" ", command) + ": " + said).isZero();
  }
}
