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
 * Trusted certificates: the Java trust store, the certificates in a file, or a single certificate.
 *
 * @param verifiesHostName whether the certificate must contain the host name of the connection
 */
public record Trust(Optional<SSLContext> context, boolean verifiesHostName) {
  public static final Trust DEFAULT = new Trust(Optional.empty(), true);

  public static Trust fromFile(Path certificateFile) throws IOException {
    try (InputStream in = Files.newInputStream(certificateFile)) {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int count = 0;
      for (Certificate certificate :
          CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("ca" + count++, certificate);
      }
      if (count == 0) {
        throw new IOException("no certificate in " + certificateFile);
      }
      TrustManagerFactory managers =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(store);
      return new Trust(Optional.of(createContext(managers.getTrustManagers())), true);
    } catch (GeneralSecurityException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Trusts exactly this certificate, for any host name. */
  static Trust singleCertificate(String fingerprint) {
    try {
      TrustManager[] managers = {new SingleCertificate(fingerprint)};
      return new Trust(Optional.of(createContext(managers)), false);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static SSLContext createContext(TrustManager[] managers) throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers, null);
    return context;
  }

  void applyTo(HttpsURLConnection connection) {
    context.ifPresent(sslContext -> connection.setSSLSocketFactory(sslContext.getSocketFactory()));
    if (!verifiesHostName) {
      connection.setHostnameVerifier((host, session) -> true);
    }
  }
}
