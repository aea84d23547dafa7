package dev.trainyard.engine.docker;

import dev.trainyard.engine.EngineException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Keeps containers from the link-local addresses, where clouds tell each machine its secrets. One
 * rule in the chain that Docker keeps for others' rules; it stays there, for whoever comes next.
 */
final class LinkLocalBlock {
  private static final String CHAIN = "DOCKER-USER";
  private static final String LINK_LOCAL = "169.254.0.0/16";
  private static final int PATIENCE_SECONDS = 20;

  private LinkLocalBlock() {}

  static void install(Tools tools, AddressRange containers) throws IOException {
    String program =
        tools
            .find("iptables")
            .orElseThrow(
                () ->
                    new EngineException(
                        "the program iptables is not installed, and without it containers could"
                            + " reach the machine's own metadata at "
                            + LINK_LOCAL))
            .toString();
    // Other engines have no chain for others' rules, and put their own first whenever they like:
    // there it is the table that everything goes through before.
    boolean docker = run(program, List.of("-n", "-L", CHAIN)).code() == 0;
    List<String> table = docker ? List.of() : List.of("-t", "raw");
    List<String> rule =
        List.of(
            docker ? CHAIN : "PREROUTING",
            "-s",
            containers.toString(),
            "-d",
            LINK_LOCAL,
            "-j",
            docker ? "REJECT" : "DROP");
    if (run(program, words(table, "-C", rule)).code() != 0) {
      Result added = run(program, words(table, "-I", rule));
      if (added.code() != 0) {
        throw new EngineException(
            "containers can't be kept from " + LINK_LOCAL + ": iptables says " + added.words());
      }
    }
  }

  private static List<String> words(List<String> table, String action, List<String> rule) {
    List<String> words = new ArrayList<>(table);
    words.add(action);
    words.addAll(rule);
    return words;
  }

  private record Result(int code, String words) {}

  private static Result run(String program, List<String> action) throws IOException {
    List<String> command = new ArrayList<>(List.of(program, "-w", "10"));
    command.addAll(action);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (InputStream said = process.getInputStream()) {
      String words = new String(said.readNBytes(1000), StandardCharsets.UTF_8).strip();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException("iptables does not end");
      }
      return new Result(process.exitValue(), words);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the server is being stopped", e);
    }
  }
}
