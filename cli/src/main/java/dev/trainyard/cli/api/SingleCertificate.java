package dev.trainyard.cli.api;

import java.net.Socket;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.Locale;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts only the certificate with the given SHA-256 fingerprint. Extends {@code
 * X509ExtendedTrustManager} because Java adds a host name check to trust managers that only
 * implement the interface {@code X509TrustManager}, and a known certificate needs no host name
 * check.
 */
final class SingleCertificate extends X509ExtendedTrustManager {
  private final String fingerprint;

  SingleCertificate(String fingerprint) {
    this.fingerprint = fingerprint.toLowerCase(Locale.ROOT);
  }

  static String fingerprint(X509Certificate certificate) throws CertificateException {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private void check(X509Certificate[] chain) throws CertificateException {
    if (chain == null || chain.length == 0 || !fingerprint(chain[0]).equals(fingerprint)) {
      throw new CertificateException(
          "the certificate does not match the fingerprint in the data directory");
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw new CertificateException("client certificates are not supported");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    throw new CertificateException("client certificates are not supported");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    throw new CertificateException("client certificates are not supported");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
