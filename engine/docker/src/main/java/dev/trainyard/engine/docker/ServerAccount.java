package dev.trainyard.engine.docker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** The user and group ID of the server. */
record ServerAccount(int user, int group) {
  static ServerAccount current() throws IOException {
    Path self = Path.of("/proc/" + ProcessHandle.current().pid());
    var ids = Files.readAttributes(self, "unix:uid,gid", LinkOption.NOFOLLOW_LINKS);
    return new ServerAccount((Integer) ids.get("uid"), (Integer) ids.get("gid"));
  }

  boolean isRoot() {
    return user == 0;
  }
}
