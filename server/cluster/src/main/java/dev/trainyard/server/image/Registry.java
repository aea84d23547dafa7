package dev.trainyard.server.image;

import java.util.List;

/**
 * A registry that an administrator configured.
 *
 * @param host host name, with the port if it is not the default port
 * @param groups groups whose members see the registry; if empty, all users see it
 */
record Registry(String host, boolean plainHttp, String description, List<String> groups) {
  Registry {
    groups = List.copyOf(groups);
  }
}
