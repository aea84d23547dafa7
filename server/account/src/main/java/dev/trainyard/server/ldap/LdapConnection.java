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

/** One connection to the directory, for one thread; secure before anything is said. */
final class LdapConnection implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LdapConnection.class);
  private static final String PATIENCE = Long.toString(Duration.ofSeconds(10).toMillis());
  private static final int SEARCH_MILLIS = 10_000;

  private final InitialLdapContext context;
  private final Optional<StartTlsResponse> tls;

  private LdapConnection(InitialLdapContext context, Optional<StartTlsResponse> tls) {
    this.context = context;
    this.tls = tls;
  }

  /**
   * @param trust for StartTLS; ldaps trusts what the JDK trusts
   */
  static LdapConnection open(LdapConfig config, SSLSocketFactory trust) throws NamingException {
    InitialLdapContext context = new InitialLdapContext(environment(config), null);
    if (!config.startTls()) {
      return new LdapConnection(context, Optional.empty());
    }
    try {
      StartTlsResponse tls = (StartTlsResponse) context.extendedOperation(new StartTlsRequest());
      // Compares the certificate with the host as well.
      tls.negotiate(trust);
      return new LdapConnection(context, Optional.of(tls));
    } catch (IOException e) {
      context.close();
      NamingException refusal = new NamingException("no TLS: " + e.getMessage());
      refusal.initCause(e);
      throw refusal;
    } catch (NamingException e) {
      context.close();
      throw e;
    }
  }

  // JNDI asks for this old class.
  @SuppressWarnings("JdkObsolete")
  private static Hashtable<String, String> environment(LdapConfig config) {
    Hashtable<String, String> environment = new Hashtable<>();
    environment.put(Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.ldap.LdapCtxFactory");
    environment.put(Context.PROVIDER_URL, config.url().toString());
    environment.put(Context.SECURITY_AUTHENTICATION, "none");
    environment.put(Context.REFERRAL, "ignore");
    environment.put("com.sun.jndi.ldap.connect.timeout", PATIENCE);
    environment.put("com.sun.jndi.ldap.read.timeout", PATIENCE);
    environment.put("java.naming.ldap.attributes.binary", "objectGUID");
    return environment;
  }

  /**
   * Whether the password is right. An empty one never is: the directory would take it for a bind as
   * nobody and say yes (RFC 4513, section 5.1.2).
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
      if (!isRefusal(e)) {
        throw e;
      }
      LOG.debug("the directory does not let {} in: {}", dn, e.getMessage());
      return false;
    }
  }

  /**
   * Whether this is a no to the one who asks. Directories say it in different ways of accounts that
   * are locked, disabled or expired (results 19, 48, 50 and 53 besides 49). The JDK has one class
   * for 48 and for faults of the connection, such as that TLS is missing; only the text tells.
   */
  private static boolean isRefusal(NamingException e) {
    return switch (e) {
      case AuthenticationException _,
          InvalidAttributeValueException _,
          NoPermissionException _,
          OperationNotSupportedException _ ->
          true;
      case AuthenticationNotSupportedException other ->
          String.valueOf(other.getMessage()).contains("error code 48");
      default -> false;
    };
  }

  /** The entry of this name. */
  // Attributes are texts and bytes: no object is made of them, so nothing is deserialised.
  @SuppressWarnings("BanJNDI")
  Attributes read(String dn, String... wanted) throws NamingException {
    return context.getAttributes(new LdapName(dn), wanted);
  }

  /** What a search found, at most two: more than one is too many already. */
  // Nothing is deserialised: objects are not asked for (returningObjFlag is false below), and the
  // JDK makes none of what a directory has stored unless a system property tells it to.
  @SuppressWarnings("BanJNDI")
  List<SearchResult> search(String base, String filter, String... wanted) throws NamingException {
    SearchControls controls =
        new SearchControls(SearchControls.SUBTREE_SCOPE, 2, SEARCH_MILLIS, wanted, false, false);
    List<SearchResult> found = new java.util.ArrayList<>();
    NamingEnumeration<SearchResult> results = context.search(new LdapName(base), filter, controls);
    try {
      while (found.size() < 2 && results.hasMore()) {
        found.add(results.next());
      }
    } catch (PartialResultException e) {
      // Comes last: the directory names other directories that might know more, as Active Directory
      // always does at the root of a domain. They are not asked.
      LOG.debug("the directory refers to others for {}", base, e);
    } finally {
      results.close();
    }
    return found;
  }

  @Override
  public void close() {
    try {
      if (tls.isPresent()) {
        tls.get().close();
      }
      context.close();
    } catch (IOException | NamingException e) {
      LOG.debug("a connection to the directory did not end well", e);
    }
  }
}
