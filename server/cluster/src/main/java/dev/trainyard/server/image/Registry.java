package dev.trainyard.server.image;

import java.util.List;

/**
 * A registry that an administrator made known.
 *
 * @param host with a port where it has another than usual
 * @param groups who sees it; everybody if none
 */
record Registry(String host, boolean plainHttp, String description, List<String> groups) {
  Registry {
    groups = List.copyOf(groups);
  }
}
