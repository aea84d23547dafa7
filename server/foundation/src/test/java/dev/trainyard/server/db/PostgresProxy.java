package dev.trainyard.server.db;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A TCP proxy in front of PostgreSQL that simulates failures of networks and failovers. */
public final class PostgresProxy implements AutoCloseable {
  private static final Pattern ADDRESS = Pattern.compile("(//)([^/:]+):(\\d+)(/.*)");
  private static final byte[] COMMIT = "COMMIT".getBytes(StandardCharsets.US_ASCII);

  /** Behavior of the proxy. */
  public enum Mode {
    /** Forwards everything. */
    PASS,
    /** Closes every connection, and new ones after they were accepted. */
    CUT,
    /** Does not listen. */
    REFUSE,
    /** Accepts and keeps connections, but forwards nothing in either direction. */
    SILENT,
    /** Forwards requests and withholds every response. */
    HANG,
    /** Forwards COMMIT, and closes the connection instead of forwarding its response. */
    DROP_COMMIT_ANSWER,
    /** Closes the connection instead of forwarding COMMIT. */
    DROP_COMMIT
  }

  private final String url;
  private final InetSocketAddress target;
  private final int port;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private volatile ServerSocket server;
  private volatile Mode mode = Mode.PASS;
  private volatile CountDownLatch passing = new CountDownLatch(0);

  public PostgresProxy(String databaseUrl) {
    Matcher address = ADDRESS.matcher(databaseUrl);
    if (!address.find()) {
      throw new IllegalArgumentException(databaseUrl);
    }
    target = new InetSocketAddress(address.group(2), Integer.parseInt(address.group(3)));
    server = bind(0);
    port = server.getLocalPort();
    url = address.replaceFirst("$1127.0.0.1:" + port + "$4");
    Thread.ofVirtual().start(() -> accept(server));
  }

  private static ServerSocket bind(int port) {
    try {
      ServerSocket socket = new ServerSocket();
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 100);
      return socket;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the URL of the database through the proxy. */
  public String url() {
    return url;
  }

  public void set(Mode next) throws IOException {
    boolean silent = next == Mode.SILENT || next == Mode.HANG;
    CountDownLatch before = passing;
    passing = new CountDownLatch(silent ? 1 : 0);
    mode = next;
    before.countDown();
    if (next == Mode.CUT || next == Mode.REFUSE) {
      if (next == Mode.REFUSE) {
        server.close();
      }
      sockets.forEach(PostgresProxy::close);
    }
    if (next != Mode.REFUSE && server.isClosed()) {
      server = bind(port);
      ServerSocket listening = server;
      Thread.ofVirtual().start(() -> accept(listening));
    }
  }

  private void accept(ServerSocket listening) {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        if (mode == Mode.CUT) {
          client.close();
          continue;
        }
        Socket database = new Socket();
        database.connect(target);
        sockets.add(client);
        sockets.add(database);
        Thread.ofVirtual().start(() -> requests(client, database));
        Thread.ofVirtual().start(() -> answers(database, client));
      } catch (IOException e) {
        // Closed by set or close, or one connection failed.
      }
    }
  }

  private final Set<Socket> committing = ConcurrentHashMap.newKeySet();

  private void requests(Socket client, Socket database) {
    byte[] buffer = new byte[65_536];
    try (client;
        database) {
      InputStream in = client.getInputStream();
      OutputStream out = database.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        if (mode == Mode.SILENT) {
          passing.await();
        }
        boolean commit = contains(buffer, read);
        if (commit && mode == Mode.DROP_COMMIT) {
          return;
        }
        if (commit && mode == Mode.DROP_COMMIT_ANSWER) {
          committing.add(database);
        }
        out.write(buffer, 0, read);
        out.flush();
      }
    } catch (IOException | InterruptedException e) {
      // The connection ends with this method.
    } finally {
      sockets.remove(client);
      sockets.remove(database);
    }
  }

  private void answers(Socket database, Socket client) {
    byte[] buffer = new byte[65_536];
    try (client;
        database) {
      InputStream in = database.getInputStream();
      OutputStream out = client.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        if (committing.remove(database)) {
          return;
        }
        if (mode == Mode.SILENT || mode == Mode.HANG) {
          passing.await();
        }
        out.write(buffer, 0, read);
        out.flush();
      }
    } catch (IOException | InterruptedException e) {
      // The connection ends with this method.
    }
  }

  private static boolean contains(byte[] buffer, int length) {
    for (int at = 0; at + COMMIT.length <= length; at++) {
      int same = 0;
      while (same < COMMIT.length && buffer[at + same] == COMMIT[same]) {
        same++;
      }
      if (same == COMMIT.length) {
        return true;
      }
    }
    return false;
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    passing.countDown();
    sockets.forEach(PostgresProxy::close);
  }
}
