package dev.trainyard.machine;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;

/** Finds out whether a port can be had, by having it for a moment. */
public final class Ports {
  private Ports() {}

  /** Whether nobody listens on it, on whatever address of this machine. */
  public static boolean isFree(int port) {
    try (ServerSocket all = new ServerSocket(port)) {
      all.getLocalPort();
    } catch (IOException e) {
      return false;
    }
    try (ServerSocketChannel four = ServerSocketChannel.open(StandardProtocolFamily.INET)) {
      four.bind(new InetSocketAddress("0.0.0.0", port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
