package dev.trainyard.server.image;

import java.util.List;

/**
 * A registry that an administrator configured.
 *
 * @param host with the port if it is not the default one
 * @param groups groups whose members see it; all users if empty
 */
record Registry(String host, boolean plainHttp, String description, List<String> groups) {
  Registry {
    groups = List.copyOf(groups);
  }
}
