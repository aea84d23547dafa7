package dev.trainyard.cli.api;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * Trusted certificates: those of the Java trust store, those of a file, or a single one.
 *
 * @param namesMatter whether the certificate must contain the host name of the connection
 */
public record Trust(Optional<SSLContext> context, boolean namesMatter) {
  public static final Trust USUAL = new Trust(Optional.empty(), true);

  public static Trust in(Path certificates) throws IOException {
    try (InputStream in = Files.newInputStream(certificates)) {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int count = 0;
      for (Certificate certificate :
          CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("ca" + count++, certificate);
      }
      if (count == 0) {
        throw new IOException("no certificate in " + certificates);
      }
      TrustManagerFactory managers =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(store);
      return new Trust(Optional.of(context(managers.getTrustManagers())), true);
    } catch (GeneralSecurityException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Trusts exactly this certificate, for any host name. */
  static Trust only(String fingerprint) {
    try {
      TrustManager[] managers = {new SingleCertificate(fingerprint)};
      return new Trust(Optional.of(context(managers)), false);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static SSLContext context(TrustManager[] managers) throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers, null);
    return context;
  }

  void applyTo(HttpsURLConnection connection) {
    context.ifPresent(it -> connection.setSSLSocketFactory(it.getSocketFactory()));
    if (!namesMatter) {
      connection.setHostnameVerifier((host, session) -> true);
    }
  }
}
