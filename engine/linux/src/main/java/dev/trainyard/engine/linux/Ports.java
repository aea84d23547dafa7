package dev.trainyard.engine.linux;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks whether a port is free by binding to it briefly. */
public final class Ports {
  private static final Logger LOG = LoggerFactory.getLogger(Ports.class);

  private Ports() {}

  /**
   * Returns whether the port is free on every address of this host. Only a failed bind proves that
   * a port is in use. If no socket can be created, for example because the process has no file
   * descriptors left, the state of the port is unknown and it counts as free.
   */
  public static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port)) {
      socket.getLocalPort();
    } catch (BindException e) {
      return false;
    } catch (IOException e) {
      return assumeFree(port, e);
    }
    try (ServerSocketChannel ipv4Socket = ServerSocketChannel.open(StandardProtocolFamily.INET)) {
      ipv4Socket.bind(new InetSocketAddress("0.0.0.0", port));
      return true;
    } catch (BindException e) {
      return false;
    } catch (IOException e) {
      return assumeFree(port, e);
    }
  }

  private static boolean assumeFree(int port, IOException failure) {
    LOG.warn("failed to check whether port {} is in use: {}", port, failure.getMessage());
    return true;
  }
}
