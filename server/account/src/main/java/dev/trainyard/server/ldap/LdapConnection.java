package dev.trainyard.server.ldap;

import java.io.IOException;
import java.time.Duration;
import java.util.Hashtable;
import java.util.List;
import java.util.Optional;
import javax.naming.AuthenticationException;
import javax.naming.AuthenticationNotSupportedException;
import javax.naming.Context;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.NoPermissionException;
import javax.naming.OperationNotSupportedException;
import javax.naming.PartialResultException;
import javax.naming.directory.Attributes;
import javax.naming.directory.InvalidAttributeValueException;
import javax.naming.directory.SearchControls;
import javax.naming.directory.SearchResult;
import javax.naming.ldap.InitialLdapContext;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.StartTlsRequest;
import javax.naming.ldap.StartTlsResponse;
import javax.net.ssl.SSLSocketFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to the directory. TLS, if required, is established before any other request. Not
 * thread-safe.
 */
final class LdapConnection implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LdapConnection.class);
  private static final String TIMEOUT_MILLIS = Long.toString(Duration.ofSeconds(10).toMillis());
  private static final int SEARCH_TIMEOUT_MILLIS = 10_000;

  private final InitialLdapContext context;
  private final Optional<StartTlsResponse> tls;

  private LdapConnection(InitialLdapContext context, Optional<StartTlsResponse> tls) {
    this.context = context;
    this.tls = tls;
  }

  /**
   * @param sslSocketFactory used for StartTLS; a connection with the scheme ldaps uses the trust
   *     store of the JDK
   */
  static LdapConnection open(LdapConfig config, SSLSocketFactory sslSocketFactory)
      throws NamingException {
    InitialLdapContext context = new InitialLdapContext(environment(config), null);
    if (!config.startTls()) {
      return new LdapConnection(context, Optional.empty());
    }
    try {
      StartTlsResponse tls = (StartTlsResponse) context.extendedOperation(new StartTlsRequest());
      // This also verifies that the certificate matches the host name.
      tls.negotiate(sslSocketFactory);
      return new LdapConnection(context, Optional.of(tls));
    } catch (IOException e) {
      context.close();
      NamingException failure = new NamingException("TLS negotiation failed: " + e.getMessage());
      failure.initCause(e);
      throw failure;
    } catch (NamingException e) {
      context.close();
      throw e;
    }
  }

  // JNDI requires this legacy class.
  @SuppressWarnings("JdkObsolete")
  private static Hashtable<String, String> environment(LdapConfig config) {
    Hashtable<String, String> environment = new Hashtable<>();
    environment.put(Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.ldap.LdapCtxFactory");
    environment.put(Context.PROVIDER_URL, config.url().toString());
    environment.put(Context.SECURITY_AUTHENTICATION, "none");
    environment.put(Context.REFERRAL, "ignore");
    environment.put("com.sun.jndi.ldap.connect.timeout", TIMEOUT_MILLIS);
    environment.put("com.sun.jndi.ldap.read.timeout", TIMEOUT_MILLIS);
    environment.put("java.naming.ldap.attributes.binary", "objectGUID");
    return environment;
  }

  /**
   * Authenticates the connection; returns whether the password is correct. An empty password is
   * always rejected, because the directory would treat the bind as anonymous and report success
   * (RFC 4513, section 5.1.2).
   */
  boolean bind(String dn, String password) throws NamingException {
    if (dn.isEmpty() || password.isEmpty() || password.indexOf('\0') >= 0) {
      return false;
    }
    context.addToEnvironment(Context.SECURITY_AUTHENTICATION, "simple");
    context.addToEnvironment(Context.SECURITY_PRINCIPAL, dn);
    context.addToEnvironment(Context.SECURITY_CREDENTIALS, password);
    try {
      context.reconnect(null);
      return true;
    } catch (NamingException e) {
      if (!isRejection(e)) {
        throw e;
      }
      LOG.debug("directory rejected the bind of {}: {}", dn, e.getMessage());
      return false;
    }
  }

  /**
   * Returns whether the directory rejected the user; false if the request itself failed. Besides
   * 49, directories use the result codes 19, 48, 50 and 53 for locked, disabled or expired
   * accounts. The JDK throws the same exception class for 48 and for connection errors such as
   * missing TLS, so only the exception text distinguishes them.
   */
  private static boolean isRejection(NamingException e) {
    return switch (e) {
      case AuthenticationException _,
          InvalidAttributeValueException _,
          NoPermissionException _,
          OperationNotSupportedException _ ->
          true;
      case AuthenticationNotSupportedException notSupported ->
          String.valueOf(notSupported.getMessage()).contains("error code 48");
      default -> false;
    };
  }

  /** Returns the requested attributes of an entry. */
  // Attributes are strings and bytes. No objects are created from them, so nothing is deserialized.
  @SuppressWarnings("BanJNDI")
  Attributes read(String dn, String... attributeNames) throws NamingException {
    return context.getAttributes(new LdapName(dn), attributeNames);
  }

  /**
   * Returns at most two search results, because two results already show that the search is
   * ambiguous.
   */
  // Nothing is deserialized: objects are not requested (returningObjFlag is false below), and the
  // JDK does not create objects from directory data unless a system property enables it.
  @SuppressWarnings("BanJNDI")
  List<SearchResult> search(String base, String filter, String... attributeNames)
      throws NamingException {
    SearchControls controls =
        new SearchControls(
            SearchControls.SUBTREE_SCOPE, 2, SEARCH_TIMEOUT_MILLIS, attributeNames, false, false);
    List<SearchResult> entries = new java.util.ArrayList<>();
    NamingEnumeration<SearchResult> results = context.search(new LdapName(base), filter, controls);
    try {
      while (entries.size() < 2 && results.hasMore()) {
        entries.add(results.next());
      }
    } catch (PartialResultException e) {
      // Thrown after the last result for a referral to other directories, which Active Directory
      // always returns for a search at the root of a domain. Referrals are not followed.
      LOG.debug("ignored a referral in the search of {}", base, e);
    } finally {
      results.close();
    }
    return entries;
  }

  @Override
  public void close() {
    try {
      if (tls.isPresent()) {
        tls.get().close();
      }
      context.close();
    } catch (IOException | NamingException e) {
      LOG.debug("failed to close a connection to the directory", e);
    }
  }
}
