package dev.trainyard.cli.api;

import dev.trainyard.model.ServerProof;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a server that runs on a data directory left there about itself: {@code server.json} says
 * where it answers, {@code local-token} signs in whoever can read it.
 *
 * @param proofKey by which the server proves that it left this; empty of an older server
 * @param certificate the SHA-256 of its TLS certificate in hex
 */
public record LocalServer(
    URI address, long pid, Optional<String> proofKey, Optional<String> certificate) {
  public LocalServer(URI address, long pid) {
    this(address, pid, Optional.empty(), Optional.empty());
  }

  public static Optional<LocalServer> find(Path data) {
    return read(data.resolve("server.json"));
  }

  /**
   * Returns the server that runs on the data directory, or else the last one that did. Its key
   * exposes a program that listens on its address after it was stopped.
   */
  public static Optional<LocalServer> findLast(Path data) {
    return find(data).or(() -> read(data.resolve("server-proof.json")));
  }

  private static Optional<LocalServer> read(Path file) {
    try {
      Json json = Json.parse(Files.readAllBytes(file));
      return json.find("url")
          .map(
              url ->
                  new LocalServer(
                      URI.create(url),
                      json.number("pid"),
                      json.find("proofKey").filter(ServerProof::isWellFormed),
                      json.find("certificate")));
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Whoever may write the data directory is the server; no authority has to vouch for it. */
  public Trust trust() {
    return certificate.map(Trust::only).orElse(Trust.USUAL);
  }

  /** Empty if there is none or it is not ours to read. */
  public static String token(Path data) {
    try {
      return Files.readString(data.resolve("local-token"), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      return "";
    }
  }

  /**
   * The process, unless it is gone. A machine that was restarted may have given its number to
   * somebody else's process.
   */
  public Optional<ProcessHandle> process() {
    return pid > 0
        ? ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(LocalServer::isTrainyard)
        : Optional.empty();
  }

  private static boolean isTrainyard(ProcessHandle process) {
    return process.info().commandLine().filter(line -> line.contains("trainyard")).isPresent();
  }
}
