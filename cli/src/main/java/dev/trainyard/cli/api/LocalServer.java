package dev.trainyard.cli.api;

import dev.trainyard.model.ProcessStart;
import dev.trainyard.model.ServerProof;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Files that a server writes to its data directory: {@code server.json} contains its address, and
 * {@code local-token} contains a token that signs in any account that can read the file.
 *
 * @param processStart start time of the process, which distinguishes it from a later process with
 *     the same ID; empty for an older server
 * @param proofKey key with which the server proves that it wrote these files; empty for an older
 *     server
 * @param certificate SHA-256 of its TLS certificate in hexadecimal
 */
public record LocalServer(
    URI address,
    long pid,
    Optional<String> processStart,
    Optional<ProofKey> proofKey,
    Optional<String> certificate) {
  public LocalServer(URI address, long pid) {
    this(address, pid, Optional.empty(), Optional.empty(), Optional.empty());
  }

  /**
   * Returns the server that uses the data directory. Ignores {@code server.json} in a copy of a
   * data directory because that file describes the server of the original directory.
   */
  public static Optional<LocalServer> find(Path data) {
    return read(data.resolve("server.json"), data);
  }

  /**
   * Returns the server that uses the data directory or, if there is none, the last server that used
   * it. The proof key of a stopped server makes it possible to detect a program that took over its
   * port.
   */
  public static Optional<LocalServer> findLast(Path data) {
    return find(data).or(() -> read(data.resolve("server-proof.json"), data));
  }

  private static Optional<LocalServer> read(Path file, Path data) {
    try {
      Json json = Json.parse(Files.readAllBytes(file));
      // A server of an older version does not store the directory.
      Optional<String> directory = json.find("directory");
      if (directory.isPresent() && !directory.get().equals(identity(data))) {
        return Optional.empty();
      }
      return json.find("url")
          .map(
              url ->
                  new LocalServer(
                      URI.create(url),
                      json.number("pid"),
                      json.find("processStart"),
                      json.find("proofKey")
                          .filter(ServerProof::isWellFormed)
                          .map(
                              key ->
                                  new ProofKey(key, json.string("provesAddress").equals("true"))),
                      json.find("certificate")));
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static String identity(Path data) throws IOException {
    return Files.getAttribute(data, "unix:dev") + ":" + Files.getAttribute(data, "unix:ino");
  }

  /**
   * Returns a trust configuration that accepts only the certificate whose fingerprint is stored in
   * the data directory, or the default one if none is stored. The certificate need not be signed by
   * a certificate authority because only the server can write to that directory.
   */
  public Trust trust() {
    return certificate.map(Trust::singleCertificate).orElse(Trust.DEFAULT);
  }

  /** Returns the local token; empty if the file does not exist or is not readable. */
  public static String token(Path data) {
    try {
      return Files.readString(data.resolve("local-token"), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      return "";
    }
  }

  /**
   * Returns the process if it is still running. Compares more than the process ID, because after a
   * crash or a reboot the ID may belong to another process, even to the server of another data
   * directory.
   */
  public Optional<ProcessHandle> process() {
    return pid > 0
        ? ProcessHandle.of(pid)
            .filter(ProcessHandle::isAlive)
            .filter(LocalServer::isTrainyard)
            .filter(process -> processStart.isEmpty() || startOf(process).equals(processStart))
        : Optional.empty();
  }

  private static Optional<String> startOf(ProcessHandle process) {
    try {
      Path stat = Path.of("/proc", Long.toString(process.pid()), "stat");
      return ProcessStart.of(
          Files.readString(stat, StandardCharsets.ISO_8859_1),
          Files.readString(Path.of("/proc/sys/kernel/random/boot_id")));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static boolean isTrainyard(ProcessHandle process) {
    return process.info().commandLine().filter(line -> line.contains("trainyard")).isPresent();
  }
}
