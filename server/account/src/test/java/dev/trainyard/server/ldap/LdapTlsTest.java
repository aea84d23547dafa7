package dev.trainyard.server.ldap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.unboundid.ldap.sdk.LDAPConnection;
import dev.trainyard.server.identity.ProvisioningPolicy;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import javax.naming.NamingException;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Verifies that StartTLS precedes every password. */
class LdapTlsTest {
  private static final char[] PASSWORD = "changeit".toCharArray();

  @TempDir private Path directory;
  private SSLSocketFactory sockets;

  /** Creates a certificate with the keytool of the JDK; both sides trust it. */
  @BeforeEach
  void makeCertificate() throws Exception {
    Path store = directory.resolve("store.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "a",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                new String(PASSWORD))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("keytool.log").toFile())
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    var own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, PASSWORD);
    var trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(keys);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
    sockets = context.getSocketFactory();
  }

  private static LdapConfig config(TestDirectory ldap, String host) {
    return new LdapConfig(
        URI.create("ldap://" + host + ":" + ldap.server.getListenPort()),
        true,
        new LdapConfig.ByDistinguishedName("uid={user},ou=people," + TestDirectory.BASE),
        "memberOf",
        ProvisioningPolicy.WELCOME);
  }

  @Test
  void bind_usesTheEncryptedConnection() throws Exception {
    try (TestDirectory ldap = new TestDirectory(sockets)) {
      ldap.person("alice");
      long number;
      try (LDAPConnection before = ldap.server.getConnection()) {
        before.bind(TestDirectory.dn("alice"), "alice-password");
        number = ldap.binds.getLast();
      }
      try (var connection = LdapConnection.open(config(ldap, "localhost"), sockets)) {
        assertThat(connection.bind(TestDirectory.dn("alice"), "alice-password")).isTrue();
        assertThat(connection.read(TestDirectory.dn("alice"), "cn").get("cn").get())
            .isEqualTo("The alice");
        // A second, unencrypted connection would have the following number.
        assertThat(ldap.binds.getLast()).isEqualTo(number + 1);
        assertThat(connection.bind(TestDirectory.dn("alice"), "wrong")).isFalse();
        assertThat(ldap.binds.getLast()).isEqualTo(number + 1);
      }
    }
  }

  @Test
  void open_withoutTls_sendsNoPassword() throws Exception {
    try (TestDirectory plain = new TestDirectory();
        TestDirectory ldap = new TestDirectory(sockets)) {
      assertThatThrownBy(() -> LdapConnection.open(config(plain, "localhost"), sockets))
          .isInstanceOf(NamingException.class);
      var strangers = (SSLSocketFactory) SSLSocketFactory.getDefault();
      assertThatThrownBy(() -> LdapConnection.open(config(ldap, "localhost"), strangers))
          .isInstanceOf(NamingException.class);
      // The certificate is for another host.
      assertThatThrownBy(() -> LdapConnection.open(config(ldap, "127.0.0.1"), sockets))
          .isInstanceOf(NamingException.class);
      assertThat(ldap.binds).isEmpty();
      assertThat(plain.binds).isEmpty();
    }
  }
}
