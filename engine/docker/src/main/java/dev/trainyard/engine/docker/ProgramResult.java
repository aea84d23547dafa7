package dev.trainyard.engine.docker;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Exit code of a host program, and the beginning of its output. */
record ProgramResult(int exitCode, String output) {
  private static final int TIMEOUT_SECONDS = 20;

  /**
   * @param command name of the program and its arguments
   */
  static ProgramResult run(HostPrograms hostPrograms, List<String> command) throws IOException {
    List<String> resolvedCommand = new ArrayList<>(command);
    resolvedCommand.set(0, hostPrograms.path(command.getFirst()));
    Process process = new ProcessBuilder(resolvedCommand).redirectErrorStream(true).start();
    try (InputStream out = process.getInputStream()) {
      String output = new String(out.readNBytes(1000), StandardCharsets.UTF_8).strip();
      if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException(
            command.getFirst() + " did not exit within " + TIMEOUT_SECONDS + " seconds");
      }
      return new ProgramResult(process.exitValue(), output);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the server is shutting down", e);
    }
  }
}
