package dev.trainyard.engine.docker;

import dev.trainyard.engine.ImageException;
import dev.trainyard.engine.ImageException.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A port on 127.0.0.1 that forwards to a registry without TLS, for the duration of one transfer.
 * Docker uses plain HTTP only for the local host unless its own configuration allows more, and a
 * change of its configuration needs a restart. Bytes are forwarded unchanged.
 */
final class RegistryRelay implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RegistryRelay.class);
  private static final int HTTP_PORT = 80;
  private static final int CONNECT_TIMEOUT_MILLIS = 5_000;

  private final InetSocketAddress target;
  private final ServerSocket listener;
  private final Set<Socket> openSockets = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private RegistryRelay(InetSocketAddress target, ServerSocket listener) {
    this.target = target;
    this.listener = listener;
  }

  /**
   * @param registry host of the registry, with or without a port
   * @throws ImageException if the registry is unreachable; without this check, Docker would report
   *     only that this port closed the connection
   */
  static RegistryRelay open(String registry) {
    URI address = URI.create("http://" + registry);
    int port = address.getPort() < 0 ? HTTP_PORT : address.getPort();
    InetSocketAddress target = new InetSocketAddress(address.getHost(), port);
    try (Socket testConnection = new Socket()) {
      testConnection.connect(target, CONNECT_TIMEOUT_MILLIS);
    } catch (IOException e) {
      throw new ImageException(Kind.UNREACHABLE, registry + ": " + e.getMessage(), e);
    }
    try {
      RegistryRelay relay =
          new RegistryRelay(target, new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1")));
      Thread.ofVirtual().name("registry-relay").start(relay::accept);
      return relay;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the address to use instead of the registry during the transfer. */
  String address() {
    return "127.0.0.1:" + listener.getLocalPort();
  }

  private void accept() {
    while (!closed) {
      try {
        Socket clientSocket = listener.accept();
        openSockets.add(clientSocket);
        Thread.ofVirtual().start(() -> forward(clientSocket));
      } catch (IOException e) {
        if (!closed) {
          LOG.warn("the relay to {} failed", target, e);
        }
        return;
      }
    }
  }

  private void forward(Socket clientSocket) {
    Socket registrySocket = new Socket();
    openSockets.add(registrySocket);
    try (clientSocket;
        registrySocket) {
      registrySocket.connect(target, CONNECT_TIMEOUT_MILLIS);
      Thread responseThread = Thread.ofVirtual().start(() -> copy(registrySocket, clientSocket));
      copy(clientSocket, registrySocket);
      responseThread.join();
    } catch (IOException e) {
      LOG.debug("a connection to {} ended", target, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      openSockets.remove(clientSocket);
      openSockets.remove(registrySocket);
    }
  }

  private static void copy(Socket source, Socket target) {
    try {
      source.getInputStream().transferTo(target.getOutputStream());
      target.shutdownOutput();
    } catch (IOException e) {
      LOG.debug("a connection ended", e);
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      listener.close();
      for (Socket socket : openSockets) {
        socket.close();
      }
    } catch (IOException e) {
      LOG.debug("failed to close the relay to {}", target, e);
    }
  }
}
