package dev.trainyard.engine.linux;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds out whether a port can be had, by having it for a moment. */
public final class Ports {
  private static final Logger LOG = LoggerFactory.getLogger(Ports.class);

  private Ports() {}

  /**
   * Whether no process listens on the port, on any address of this machine. Only a failed bind
   * shows that a port is in use. If no socket can be created, for example because the process has
   * no file descriptors left, nothing is known of the port, and it counts as free.
   */
  public static boolean isFree(int port) {
    try (ServerSocket all = new ServerSocket(port)) {
      all.getLocalPort();
    } catch (BindException e) {
      return false;
    } catch (IOException e) {
      return unknown(port, e);
    }
    try (ServerSocketChannel four = ServerSocketChannel.open(StandardProtocolFamily.INET)) {
      four.bind(new InetSocketAddress("0.0.0.0", port));
      return true;
    } catch (BindException e) {
      return false;
    } catch (IOException e) {
      return unknown(port, e);
    }
  }

  private static boolean unknown(int port, IOException failure) {
    LOG.warn("failed to check whether port {} is in use: {}", port, failure.getMessage());
    return true;
  }
}
