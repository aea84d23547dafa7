package dev.trainyard.engine.docker;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the server's account access to files that tasks left in a directory under other user IDs.
 * Tasks may change the directory at the same time, and this code runs as root, so it operates only
 * on open directories and on names in them, and follows no links.
 */
final class TreeAccessGranter {
  private static final Logger LOG = LoggerFactory.getLogger(TreeAccessGranter.class);

  private final UserPrincipal serverUser;
  private final GroupPrincipal serverGroup;
  private final boolean forDeletion;

  /** A directory whose entries are being processed. */
  private record Level(SecureDirectoryStream<Path> directory, Deque<Path> remainingNames) {}

  private TreeAccessGranter(Path tree, ServerAccount server, boolean forDeletion)
      throws IOException {
    this.forDeletion = forDeletion;
    var names = tree.getFileSystem().getUserPrincipalLookupService();
    serverUser = names.lookupPrincipalByName(Integer.toString(server.user()));
    serverGroup = names.lookupPrincipalByGroupName(Integer.toString(server.group()));
  }

  /** Makes the tree readable: the server's group gets read permission, and the owners are kept. */
  static void makeReadable(Path tree, ServerAccount server) throws IOException {
    new TreeAccessGranter(tree, server, false).grantAccess(tree);
  }

  /** Makes the tree deletable, for which only the directories have to be changed. */
  static void makeDeletable(Path tree, ServerAccount server) throws IOException {
    new TreeAccessGranter(tree, server, true).grantAccess(tree);
  }

  private void grantAccess(Path tree) throws IOException {
    Deque<Level> levels = new ArrayDeque<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(tree.getParent())) {
      if (!(stream instanceof SecureDirectoryStream<Path> parent)) {
        throw new IOException("this file system does not support secure directory streams");
      }
      enter(parent, tree.getFileName(), levels);
      while (!levels.isEmpty()) {
        Level level = levels.peek();
        Path name = level.remainingNames().poll();
        if (name == null) {
          levels.pop().directory().close();
        } else {
          visit(level.directory(), name, levels);
        }
      }
    } finally {
      for (Level level : levels) {
        level.directory().close();
      }
    }
  }

  /**
   * Grants access to an entry; skips it if it has disappeared or changed its type in the meantime.
   */
  private void visit(SecureDirectoryStream<Path> directory, Path name, Deque<Level> levels)
      throws IOException {
    try {
      var view = view(directory, name);
      PosixFileAttributes attributes = view.readAttributes();
      if (attributes.isDirectory()) {
        enter(directory, name, levels);
      } else if (attributes.isRegularFile() && !forDeletion) {
        grantAccess(view, attributes);
      }
    } catch (AccessDeniedException e) {
      throw e;
    } catch (FileSystemException e) {
      LOG.debug("{} was changed concurrently", name, e);
    }
  }

  private void enter(SecureDirectoryStream<Path> parent, Path name, Deque<Level> levels)
      throws IOException {
    SecureDirectoryStream<Path> directory =
        parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
    levels.push(new Level(directory, new ArrayDeque<>()));
    var view = directory.getFileAttributeView(PosixFileAttributeView.class);
    grantAccess(view, view.readAttributes());
    List<Path> names = new ArrayList<>();
    directory.forEach(entry -> names.add(entry.getFileName()));
    levels.peek().remainingNames().addAll(names);
  }

  private void grantAccess(PosixFileAttributeView view, PosixFileAttributes attributes)
      throws IOException {
    boolean ownedByServer = attributes.owner().equals(serverUser);
    if (forDeletion) {
      if (!ownedByServer) {
        view.setOwner(serverUser);
      }
      return;
    }
    if (!ownedByServer) {
      view.setGroup(serverGroup);
    }
    // Group permissions do not apply to the owner, and a task may have removed both the owner's
    // and the group's permissions.
    Set<PosixFilePermission> permissions =
        EnumSet.of(ownedByServer ? PosixFilePermission.OWNER_READ : PosixFilePermission.GROUP_READ);
    permissions.addAll(attributes.permissions());
    if (attributes.isDirectory()) {
      permissions.add(
          ownedByServer ? PosixFilePermission.OWNER_EXECUTE : PosixFilePermission.GROUP_EXECUTE);
    }
    if (!permissions.equals(attributes.permissions())) {
      view.setPermissions(permissions);
    }
  }

  private static PosixFileAttributeView view(SecureDirectoryStream<Path> directory, Path name) {
    return directory.getFileAttributeView(
        name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
  }
}
