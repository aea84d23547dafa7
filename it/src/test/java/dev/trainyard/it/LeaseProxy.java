package dev.trainyard.it;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A proxy between one server and PostgreSQL that can delay two statements: the statement with which
 * a write transaction checks the lease, and the renewal of the lease. All other statements pass
 * without delay.
 */
final class LeaseProxy implements Closeable {
  private static final Pattern ADDRESS = Pattern.compile("(//)([^/:]+):(\\d+)(/.*)");
  private static final String CHECK = "lock table server_lease in row share mode";
  private static final String RENEWAL = "update server_lease set expires_at";

  /** Codes of encryption requests, which a client sends before its first message. */
  private static final Set<Integer> ENCRYPTION = Set.of(80877103, 80877104);

  private final InetSocketAddress target;
  private final ServerSocket server;
  private final String url;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final AtomicInteger delayed = new AtomicInteger();

  /**
   * Serializes the delayed transactions, because they would conflict if they continued at the same
   * time.
   */
  private final ReentrantLock delayedOneByOne = new ReentrantLock(true);

  private volatile CountDownLatch checks = new CountDownLatch(0);
  private volatile CountDownLatch renewals = new CountDownLatch(0);

  LeaseProxy(String databaseUrl) throws IOException {
    Matcher address = ADDRESS.matcher(databaseUrl);
    if (!address.find()) {
      throw new IllegalArgumentException(databaseUrl);
    }
    target = new InetSocketAddress(address.group(2), Integer.parseInt(address.group(3)));
    server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    url = address.replaceFirst("$1127.0.0.1:" + server.getLocalPort() + "$4");
    Thread.ofVirtual().start(this::accept);
  }

  /** Returns the URL of the database through the proxy. */
  String url() {
    return url;
  }

  /** Delays every check and every renewal from now on. */
  void delay() {
    checks = new CountDownLatch(1);
    renewals = new CountDownLatch(1);
  }

  /** Returns the number of write transactions that wait for their check. */
  int delayedChecks() {
    return delayed.get();
  }

  /** Passes the delayed checks, one every 100 ms. Renewals stay delayed. */
  void passChecks() {
    checks.countDown();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        Socket database = new Socket();
        sockets.add(client);
        sockets.add(database);
        database.connect(target);
        database.setTcpNoDelay(true);
        client.setTcpNoDelay(true);
        Thread.ofVirtual().start(() -> forwardRequests(client, database));
        Thread.ofVirtual().start(() -> forwardResponses(database, client));
      } catch (IOException e) {
        // The proxy was closed, or one connection failed.
      }
    }
  }

  private void forwardRequests(Socket client, Socket database) {
    try (client;
        database;
        DataInputStream in =
            new DataInputStream(new BufferedInputStream(client.getInputStream(), 65_536));
        DataOutputStream out =
            new DataOutputStream(new BufferedOutputStream(database.getOutputStream(), 65_536))) {
      boolean encryption = true;
      while (encryption) {
        byte[] body = body(in);
        encryption = ENCRYPTION.contains(ByteBuffer.wrap(body).getInt());
        write(out, body);
        out.flush();
      }
      Map<String, String> statements = new HashMap<>();
      while (true) {
        byte type = in.readByte();
        byte[] body = body(in);
        await(text(type, body, statements), out);
        out.writeByte(type);
        write(out, body);
        if (in.available() == 0) {
          out.flush();
        }
      }
    } catch (IOException | InterruptedException e) {
      // The connection ends with this method.
    } finally {
      sockets.remove(client);
      sockets.remove(database);
    }
  }

  private static byte[] body(DataInputStream in) throws IOException {
    byte[] body = new byte[in.readInt() - Integer.BYTES];
    in.readFully(body);
    return body;
  }

  private static void write(DataOutputStream out, byte[] body) throws IOException {
    out.writeInt(body.length + Integer.BYTES);
    out.write(body);
  }

  /**
   * Returns the SQL statement to which a parse, bind or query message refers; empty for other
   * messages.
   */
  private static String text(byte type, byte[] body, Map<String, String> statements) {
    return switch (type) {
      case 'Q' -> string(body, 0);
      case 'P' -> {
        String name = string(body, 0);
        String sql = string(body, name.length() + 1);
        statements.put(name, sql);
        yield sql;
      }
      case 'B' -> {
        String portal = string(body, 0);
        yield statements.getOrDefault(string(body, portal.length() + 1), "");
      }
      default -> "";
    };
  }

  /**
   * Returns the text before the next zero byte; the names are ASCII, so each character is one byte.
   */
  private static String string(byte[] body, int from) {
    int end = from;
    while (body[end] != 0) {
      end++;
    }
    return new String(body, from, end - from, StandardCharsets.UTF_8);
  }

  private void await(String sql, DataOutputStream out) throws IOException, InterruptedException {
    CountDownLatch latch =
        sql.contains(CHECK) ? checks : sql.contains(RENEWAL) ? renewals : new CountDownLatch(0);
    if (latch.getCount() > 0) {
      out.flush();
      int count = sql.contains(CHECK) ? 1 : 0;
      delayed.addAndGet(count);
      latch.await();
      delayedOneByOne.lock();
      try {
        TimeUnit.MILLISECONDS.sleep(100L * count);
      } finally {
        delayedOneByOne.unlock();
      }
      delayed.addAndGet(-count);
    }
  }

  private static void forwardResponses(Socket database, Socket client) {
    try (client;
        database) {
      database.getInputStream().transferTo(client.getOutputStream());
    } catch (IOException e) {
      // The connection ends with this method.
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    checks.countDown();
    renewals.countDown();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
