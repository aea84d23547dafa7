package dev.trainyard.engine.docker;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;

/**
 * Makes the server the owner of a file, with access for the owner only; runs as root and follows no
 * links.
 */
final class FileReclaimer {
  private FileReclaimer() {}

  static void reclaim(Path file, ServerAccount server) throws IOException {
    var principals = file.getFileSystem().getUserPrincipalLookupService();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(file.getParent())) {
      if (!(stream instanceof SecureDirectoryStream<Path> directory)) {
        throw new IOException("this file system does not support secure directory streams");
      }
      PosixFileAttributeView view =
          directory.getFileAttributeView(
              file.getFileName(), PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
      if (!view.readAttributes().isRegularFile()) {
        throw new IOException(file + " is not a regular file");
      }
      view.setOwner(principals.lookupPrincipalByName(Integer.toString(server.user())));
      view.setGroup(principals.lookupPrincipalByGroupName(Integer.toString(server.group())));
      // The permissions are set last; this also removes the setuid bit.
      view.setPermissions(
          EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
    }
  }
}
