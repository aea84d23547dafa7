package dev.trainyard.server.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Determines the file system of a path. The locks and the shared memory of SQLite require a local
 * file system.
 */
final class FileSystems {
  private static final Set<String> NETWORK_TYPES =
      Set.of(
          "nfs",
          "nfs4",
          "cifs",
          "smb3",
          "smbfs",
          "9p",
          "ncpfs",
          "afs",
          "coda",
          "ceph",
          "lustre",
          "beegfs",
          "gpfs",
          "glusterfs",
          "ocfs2",
          "gfs2",
          "orangefs",
          "pvfs2",
          "davfs",
          "panfs");
  private static final Pattern NETWORK_FUSE =
      Pattern.compile(
          "fuse\\.(sshfs|glusterfs|ceph.*|s3fs|goofys|rclone|juicefs|davfs.*|curlftpfs|nfs.*|gcsfuse"
              + "|smbnetfs|mfs|moosefs|alluxio.*|seaweedfs|weed|beegfs.*|blobfuse.*|jfs)");
  private static final Pattern ESCAPE = Pattern.compile("\\\\([0-7]{3})");

  private FileSystems() {}

  static boolean isNetwork(String type) {
    return NETWORK_TYPES.contains(type) || NETWORK_FUSE.matcher(type).matches();
  }

  /**
   * Returns the type of the file system that contains a path.
   *
   * @param path absolute, without symbolic links
   * @param mountInfo lines of /proc/self/mountinfo; if several lines have the same mount point, the
   *     last one applies
   */
  static Optional<String> typeOf(Path path, List<String> mountInfo) {
    Optional<String> type = Optional.empty();
    int longestMatch = -1;
    for (String line : mountInfo) {
      String[] fields = line.split(" ", -1);
      int separator = List.of(fields).indexOf("-");
      if (separator < 5 || separator + 1 >= fields.length) {
        continue;
      }
      Path mountPoint = Path.of(unescape(fields[4]));
      if (path.startsWith(mountPoint) && mountPoint.getNameCount() >= longestMatch) {
        longestMatch = mountPoint.getNameCount();
        type = Optional.of(fields[separator + 1]);
      }
    }
    return type;
  }

  private static String unescape(String text) {
    Matcher escape = ESCAPE.matcher(text);
    StringBuilder plain = new StringBuilder();
    while (escape.find()) {
      String character = String.valueOf((char) Integer.parseInt(escape.group(1), 8));
      escape.appendReplacement(plain, Matcher.quoteReplacement(character));
    }
    return escape.appendTail(plain).toString();
  }
}
