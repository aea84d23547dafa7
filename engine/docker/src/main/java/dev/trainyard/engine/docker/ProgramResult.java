package dev.trainyard.engine.docker;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Exit code of a host program, and the beginning of its output. */
record ProgramResult(int code, String words) {
  private static final int PATIENCE_SECONDS = 20;

  /**
   * @param command name of the program and its arguments
   */
  static ProgramResult of(HostPrograms hostPrograms, List<String> command) throws IOException {
    List<String> words = new ArrayList<>(command);
    words.set(0, hostPrograms.path(command.getFirst()));
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    try (InputStream out = process.getInputStream()) {
      String said = new String(out.readNBytes(1000), StandardCharsets.UTF_8).strip();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException(command.getFirst() + " did not end in time");
      }
      return new ProgramResult(process.exitValue(), said);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the server is shutting down", e);
    }
  }
}
