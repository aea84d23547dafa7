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
 * A pseudoterminal of the task's own devpts instance, so that the task cannot access the host's
 * terminals. This object is the master side, which the user's client reads and writes; the program
 * opens the other side by its path.
 */
final class PseudoTerminal implements AutoCloseable {
  private static final int READ_WRITE = 2;
  private static final int NOT_CONTROLLING = 0x100;
  private static final int NON_BLOCKING = 0x800;
  private static final long DEVPTS_MAGIC = 0x1cd1;
  private static final int DUPLICATE_CLOSE_ON_EXEC = 1030;

  private static final long UNLOCK = 0x40045431L;
  private static final long GET_NUMBER = 0x80045430L;
  private static final long OPEN_PEER = 0x5441;
  private static final long SET_SIZE = 0x5414;

  private final Descriptor readDescriptor;
  private final Descriptor writeDescriptor;
  private final int number;
  private int peer;

  private PseudoTerminal(
      Descriptor readDescriptor, Descriptor writeDescriptor, int peer, int number) {
    this.readDescriptor = readDescriptor;
    this.writeDescriptor = writeDescriptor;
    this.peer = peer;
    this.number = number;
  }

  /**
   * Opens a terminal.
   *
   * @param root descriptor of the task's root directory. The task may have replaced {@code
   *     /dev/pts}, so the file is resolved beneath this root and must be on a devpts file system
   * @param owner a file whose owner becomes the owner of the terminal
   */
  static PseudoTerminal open(int root, TerminalSize size, Path owner) throws IOException {
    int master =
        Linux.openInRoot(root, "/dev/pts/ptmx", READ_WRITE | NOT_CONTROLLING | NON_BLOCKING);
    int peer = -1;
    try {
      requireDevpts(master);
      control(master, "unlock a terminal", UNLOCK, 0);
      int number = control(master, "get the number of a terminal", GET_NUMBER, 0);
      peer =
          (int)
              Linux.call(
                  "open a terminal",
                  SystemCall.IOCTL,
                  master,
                  OPEN_PEER,
                  READ_WRITE | NOT_CONTROLLING | 0x80000);
      changeOwner(owner, Path.of("/proc/self/fd/" + peer));
      int writeDescriptor =
          (int) Linux.call("duplicate", SystemCall.FCNTL, master, DUPLICATE_CLOSE_ON_EXEC, 0);
      PseudoTerminal terminal =
          new PseudoTerminal(new Descriptor(master), new Descriptor(writeDescriptor), peer, number);
      terminal.resize(size);
      return terminal;
    } catch (IOException | RuntimeException e) {
      Linux.close(peer);
      Linux.close(master);
      throw e;
    }
  }

  private static void requireDevpts(int descriptor) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(256, 8);
      Linux.call("check a terminal", SystemCall.FSTATFS, descriptor, state.address());
      if (state.get(ValueLayout.JAVA_LONG, 0) != DEVPTS_MAGIC) {
        throw new IOException("/dev/pts of the task is not a devpts file system");
      }
    }
  }

  private static void changeOwner(Path owner, Path terminal) throws IOException {
    Object uid = Files.getAttribute(owner, "unix:uid");
    if (!uid.equals(Files.getAttribute(terminal, "unix:uid"))) {
      Files.setAttribute(terminal, "unix:uid", uid);
    }
  }

  private static int control(int descriptor, String operation, long command, int value)
      throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment argument = arena.allocate(ValueLayout.JAVA_INT);
      argument.set(ValueLayout.JAVA_INT, 0, value);
      Linux.call(operation, SystemCall.IOCTL, descriptor, command, argument.address());
      return argument.get(ValueLayout.JAVA_INT, 0);
    }
  }

  /** Returns the path of the terminal inside the task. */
  String path() {
    return "/dev/pts/" + number;
  }

  Descriptor readDescriptor() {
    return readDescriptor;
  }

  Descriptor writeDescriptor() {
    return writeDescriptor;
  }

  /** Changes the size; the kernel notifies the programs on the terminal with a signal. */
  void resize(TerminalSize size) throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment window = arena.allocate(8, 2);
      window.set(ValueLayout.JAVA_SHORT, 0, (short) size.rows());
      window.set(ValueLayout.JAVA_SHORT, 2, (short) size.columns());
      writeDescriptor.ioctl("resize a terminal", SET_SIZE, window.address());
    }
  }

  /**
   * Closes the server's copy of the program's side after the program has opened it, so that the end
   * of the program ends the terminal.
   */
  synchronized void closePeer() {
    Linux.close(peer);
    peer = -1;
  }

  @Override
  public void close() {
    closePeer();
    readDescriptor.close();
    writeDescriptor.close();
  }
}
