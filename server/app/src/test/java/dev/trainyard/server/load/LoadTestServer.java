package dev.trainyard.server.load;

import dev.trainyard.engine.linux.MemoryExhaustion;
import dev.trainyard.engine.testkit.ScriptedEngine;
import dev.trainyard.scheduler.FifoPlanner;
import dev.trainyard.server.Server;
import dev.trainyard.server.config.SettingsReader;
import dev.trainyard.server.feature.JobFeature;
import dev.trainyard.server.feature.OperationsFeature;
import dev.trainyard.server.http.Access;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A server program for a separate process, so that the test can limit its file descriptors and
 * heap.
 */
public final class LoadTestServer {
  /**
   * Path of a response that is larger than the socket buffers of the kernel; requires no sign-in,
   * like assets.
   */
  static final String LARGE = "/large";

  private static final byte[] LARGE_RESPONSE = new byte[4 << 20];

  private LoadTestServer() {}

  /** Starts the server, prints its URL and waits until standard input ends. */
  public static void main(String[] args) throws Exception {
    MemoryExhaustion.enable();
    var engine = new ScriptedEngine(List.of());
    var settings =
        SettingsReader.read(
            Map.of("data", args[0], "port", "0", "rate-limit-user", "off"), Map.of());
    try (Server server =
        Server.start(
            settings,
            Optional.of("a-good-password"),
            List.of(
                foundation -> new JobFeature(foundation, engine, new FifoPlanner()),
                OperationsFeature::new,
                _ ->
                    routes ->
                        routes.add("GET", LARGE, Access.PUBLIC, request -> LARGE_RESPONSE)))) {
      System.out.println(server.url());
      while (System.in.read() >= 0) {
        // Wait for the end of the test.
      }
    }
  }
}
