package dev.trainyard.engine.process;

import dev.trainyard.engine.TerminalSize;
import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.linux.LinuxException;
import dev.trainyard.engine.linux.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A pseudoterminal of the task's own devpts instance, so that the host's terminals stay out of
 * reach. This is the master side, for the user; the program opens the other side by name.
 */
final class PseudoTerminal implements AutoCloseable {
  private static final int READ_WRITE = 2;
  private static final int NOT_CONTROLLING = 0x100;
  private static final int NON_BLOCKING = 0x800;
  private static final long FILE_SYSTEM = 0x1cd1;
  private static final int DUPLICATE = 1030;

  private static final long UNLOCK = 0x40045431L;
  private static final long NUMBER = 0x80045430L;
  private static final long PEER = 0x5441;
  private static final long SIZE = 0x5414;

  private final Descriptor reading;
  private final Descriptor writing;
  private final int number;
  private int peer;

  private PseudoTerminal(Descriptor reading, Descriptor writing, int peer, int number) {
    this.reading = reading;
    this.writing = writing;
    this.peer = peer;
    this.number = number;
  }

  /**
   * Opens a terminal.
   *
   * @param root the task's root directory; whatever the task has done to it, the file is resolved
   *     beneath it and must be on a devpts file system
   * @param owner a file whose owner becomes the owner of the terminal
   */
  static PseudoTerminal open(int root, TerminalSize size, Path owner) throws IOException {
    int master =
        Linux.openInRoot(root, "/dev/pts/ptmx", READ_WRITE | NOT_CONTROLLING | NON_BLOCKING);
    int peer = -1;
    try {
      requireTerminals(master);
      control(master, "unlock a terminal", UNLOCK, 0);
      int number = control(master, "number a terminal", NUMBER, 0);
      peer =
          (int)
              Linux.call(
                  "open a terminal",
                  SystemCall.IOCTL,
                  master,
                  PEER,
                  READ_WRITE | NOT_CONTROLLING | 0x80000);
      giveTo(owner, Path.of("/proc/self/fd/" + peer));
      int writing = (int) Linux.call("duplicate", SystemCall.FCNTL, master, DUPLICATE, 0);
      PseudoTerminal terminal =
          new PseudoTerminal(new Descriptor(master), new Descriptor(writing), peer, number);
      terminal.resize(size);
      return terminal;
    } catch (IOException | RuntimeException e) {
      Linux.close(peer);
      Linux.close(master);
      throw e;
    }
  }

  private static void requireTerminals(int descriptor) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(256, 8);
      Linux.call("check a terminal", SystemCall.FSTATFS, descriptor, state.address());
      if (state.get(ValueLayout.JAVA_LONG, 0) != FILE_SYSTEM) {
        throw new IOException("/dev/pts of the task is not a devpts file system");
      }
    }
  }

  private static void giveTo(Path owner, Path terminal) throws IOException {
    Object uid = Files.getAttribute(owner, "unix:uid");
    if (!uid.equals(Files.getAttribute(terminal, "unix:uid"))) {
      Files.setAttribute(terminal, "unix:uid", uid);
    }
  }

  private static int control(int descriptor, String what, long command, int value)
      throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment place = arena.allocate(ValueLayout.JAVA_INT);
      place.set(ValueLayout.JAVA_INT, 0, value);
      Linux.call(what, SystemCall.IOCTL, descriptor, command, place.address());
      return place.get(ValueLayout.JAVA_INT, 0);
    }
  }

  /** Returns its path in the task. */
  String name() {
    return "/dev/pts/" + number;
  }

  Descriptor reading() {
    return reading;
  }

  Descriptor writing() {
    return writing;
  }

  /** Changes the size; the kernel notifies the programs on the terminal with a signal. */
  void resize(TerminalSize size) throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment window = arena.allocate(8, 2);
      window.set(ValueLayout.JAVA_SHORT, 0, (short) size.rows());
      window.set(ValueLayout.JAVA_SHORT, 2, (short) size.columns());
      writing.control("resize a terminal", SIZE, window.address());
    }
  }

  /**
   * Closes the server's copy of the program's side after the program has opened it, so that the end
   * of the program ends the terminal.
   */
  synchronized void handOver() {
    Linux.close(peer);
    peer = -1;
  }

  @Override
  public void close() {
    handOver();
    reading.close();
    writing.close();
  }
}
