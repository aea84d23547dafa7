package dev.trainyard.server.ldap;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.listener.InMemoryListenerConfig;
import com.unboundid.ldap.listener.interceptor.InMemoryInterceptedSearchRequest;
import com.unboundid.ldap.listener.interceptor.InMemoryInterceptedSimpleBindRequest;
import com.unboundid.ldap.listener.interceptor.InMemoryOperationInterceptor;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchResultReference;
import com.unboundid.ldif.LDIFException;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLSocketFactory;

/** A directory with a search account and no schema, on a free local port. */
final class TestDirectory implements AutoCloseable {
  static final String BASE = "dc=example,dc=org";
  static final String SEARCHER = "cn=searcher," + BASE;

  final InMemoryDirectoryServer server;

  /** IDs of the connections on which a password was sent. */
  final List<Long> binds = new CopyOnWriteArrayList<>();

  /** Result codes for binds of these names, whether the password is correct or not. */
  final Map<String, ResultCode> refusals = new ConcurrentHashMap<>();

  /** Whether each search also returns a referral to another directory. */
  volatile boolean refersToOthers;

  TestDirectory() throws LDAPException, LDIFException {
    this(null);
  }

  /**
   * @param startTls null for a server that does not know StartTLS
   */
  TestDirectory(SSLSocketFactory startTls) throws LDAPException, LDIFException {
    InMemoryDirectoryServerConfig config = new InMemoryDirectoryServerConfig(BASE);
    config.setSchema(null);
    config.addAdditionalBindCredentials(SEARCHER, "searcher-password");
    config.setListenerConfigs(
        InMemoryListenerConfig.createLDAPConfig(
            "plain", InetAddress.getLoopbackAddress(), 0, startTls));
    config.addInMemoryOperationInterceptor(new Oddities());
    // Like real directories with default settings.
    config.setAuthenticationRequiredOperationTypes();
    server = new InMemoryDirectoryServer(config);
    server.startListening();
    add(BASE, "objectClass: domain", "dc: example");
    add("ou=people," + BASE, "objectClass: organizationalUnit", "ou: people");
  }

  private final class Oddities extends InMemoryOperationInterceptor {
    @Override
    public void processSimpleBindRequest(InMemoryInterceptedSimpleBindRequest request)
        throws LDAPException {
      binds.add(request.getConnectionID());
      ResultCode refusal = refusals.get(request.getRequest().getBindDN());
      if (refusal != null) {
        throw new LDAPException(refusal, "not now");
      }
    }

    @Override
    public void processSearchRequest(InMemoryInterceptedSearchRequest request)
        throws LDAPException {
      if (refersToOthers) {
        String[] other = {"ldap://other.example.org/dc=other," + BASE};
        request.sendSearchReference(new SearchResultReference(other, new Control[0]));
      }
    }
  }

  void add(String dn, String... lines) throws LDAPException, LDIFException {
    String[] ldif = new String[lines.length + 1];
    ldif[0] = "dn: " + dn;
    System.arraycopy(lines, 0, ldif, 1, lines.length);
    server.add(ldif);
  }

  static String dn(String user) {
    return "uid=" + user + ",ou=people," + BASE;
  }

  /** Adds a user whose password is the name and {@code -password}. */
  void person(String user, String... extraLines) throws LDAPException, LDIFException {
    String[] lines = new String[extraLines.length + 4];
    lines[0] = "objectClass: inetOrgPerson";
    lines[1] = "uid: " + user;
    lines[2] = "cn: The " + user;
    lines[3] = "userPassword: " + user + "-password";
    System.arraycopy(extraLines, 0, lines, 4, extraLines.length);
    add(dn(user), lines);
  }

  void modify(String user, String... lines) throws LDAPException, LDIFException {
    String[] ldif = new String[lines.length + 2];
    ldif[0] = "dn: " + dn(user);
    ldif[1] = "changetype: modify";
    System.arraycopy(lines, 0, ldif, 2, lines.length);
    server.modify(ldif);
  }

  String url() {
    return "ldap://127.0.0.1:" + server.getListenPort();
  }

  @Override
  public void close() {
    server.shutDown(true);
  }
}
