package dev.trainyard.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.trainyard.model.ProcessStart;
import dev.trainyard.server.config.DataDirectory;
import dev.trainyard.server.http.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The files that describe a server for the command line. {@code server.json} exists while the
 * server runs and contains its URL. {@code server-proof.json} also exists after the server was
 * stopped and contains the URL and the key, so that the command line does not trust another program
 * that then listens at this URL.
 *
 * @param proofKey key with which the server proves that it wrote this record, see {@link
 *     dev.trainyard.model.ServerProof}; each start generates a new key
 * @param certificate fingerprint that the command line on this host trusts, regardless of the name
 *     in the certificate
 */
record ServerRecord(URI url, String proofKey, Optional<String> certificate, Instant started) {
  private static final String RECORD_FILE = "server.json";
  private static final String PROOF_FILE = "server-proof.json";

  void write(DataDirectory directory) {
    Map<String, Object> record = new LinkedHashMap<>();
    record.put("url", url.toString());
    record.put("pid", ProcessHandle.current().pid());
    processStart().ifPresent(start -> record.put("processStart", start));
    record.put("directory", identity(directory));
    record.put("started", started);
    record.put("version", Version.CURRENT);
    record.put("proofKey", proofKey);
    record.put("provesAddress", true);
    certificate.ifPresent(fingerprint -> record.put("certificate", fingerprint));
    Map<String, Object> proof = new LinkedHashMap<>();
    proof.put("url", url.toString());
    proof.put("pid", 0);
    proof.put("proofKey", proofKey);
    proof.put("provesAddress", true);
    try {
      directory.writePrivate(PROOF_FILE, Json.MAPPER.writeValueAsString(proof) + "\n");
      directory.writePrivate(RECORD_FILE, Json.MAPPER.writeValueAsString(record) + "\n");
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Returns an identifier that distinguishes the directory from a copy of it, because a copy
   * contains this record, too.
   */
  private static String identity(DataDirectory directory) {
    try {
      return Files.getAttribute(directory.path(), "unix:dev")
          + ":"
          + Files.getAttribute(directory.path(), "unix:ino");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Optional<String> processStart() {
    try {
      return ProcessStart.of(
          Files.readString(Path.of("/proc/self/stat"), StandardCharsets.ISO_8859_1),
          Files.readString(Path.of("/proc/sys/kernel/random/boot_id")));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Returns the SHA-256 fingerprint of the server's own certificate, the first in the file. */
  static String fingerprint(Path pem) {
    try (InputStream in = Files.newInputStream(pem)) {
      Certificate certificate = CertificateFactory.getInstance("X.509").generateCertificate(in);
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(certificate.getEncoded()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("no certificate in " + pem, e);
    }
  }

  void remove(DataDirectory directory) {
    directory.delete(RECORD_FILE);
  }
}
