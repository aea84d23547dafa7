package dev.trainyard.server.storage;

import dev.trainyard.engine.TreeDeleter;
import dev.trainyard.engine.linux.DirectoryEntries;
import dev.trainyard.engine.linux.FileHandle;
import dev.trainyard.engine.linux.LinuxException;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;

/**
 * A storage in a directory of this host. Every operation starts from the open root and changes
 * entries of open directories only, so a task that replaces a directory by a link at the same time
 * redirects nothing.
 */
final class DirectoryStorage implements Storage {
  private final String name;
  private final StorageRoots roots;
  private final boolean followsLinks;
  private final boolean usesUnnamedFiles;
  private final InstantSource clock;

  /**
   * @param followsLinks whether links on the way to a file are followed; they never lead out of the
   *     storage. Otherwise there is nothing below a link. A storage in which a user could link to
   *     files that only other users may reach must not follow them.
   */
  DirectoryStorage(String name, StorageRoots roots, boolean followsLinks, InstantSource clock) {
    this(name, roots, followsLinks, true, clock);
  }

  /**
   * @param usesUnnamedFiles whether an upload is a file without a name if the file system supports
   *     it
   */
  DirectoryStorage(
      String name,
      StorageRoots roots,
      boolean followsLinks,
      boolean usesUnnamedFiles,
      InstantSource clock) {
    this.name = name;
    this.roots = roots;
    this.followsLinks = followsLinks;
    this.usesUnnamedFiles = usesUnnamedFiles;
    this.clock = clock;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public FileHandle open(StorageUser user, StoragePath path) throws IOException {
    FileAccess access = roots.access(user);
    FileHandle handle;
    try (FileHandle root = roots.open(user)) {
      handle = find(root, access, path, followsLinks);
    }
    if (!access.mayRead(handle.attributes())) {
      handle.close();
      throw FileErrors.unreadable(path.toString());
    }
    return handle;
  }

  @Override
  public FileHandle.Attributes stat(StorageUser user, StoragePath path) throws IOException {
    try (FileHandle root = roots.open(user);
        FileHandle handle = find(root, roots.access(user), path, false)) {
      return handle.attributes();
    }
  }

  /**
   * @param followsLast whether a link in the last name is followed
   */
  private FileHandle find(FileHandle root, FileAccess access, StoragePath path, boolean followsLast)
      throws IOException {
    if (path.isRoot()) {
      return root.child(".");
    }
    try (FileHandle parent = openDirectory(root, access, path.parent())) {
      requireEnter(access, parent, path);
      return (followsLast ? root.find(path.toString()) : parent.findEntry(path.name()))
          .orElseThrow(() -> FileErrors.notFound(path.toString()));
    }
  }

  private static void requireEnter(FileAccess access, FileHandle directory, StoragePath path) {
    if (!access.mayEnter(directory.attributes())) {
      throw FileErrors.unreadable(path.toString());
    }
  }

  /** Opens a directory and checks that the user may enter each of the directories above it. */
  private FileHandle openDirectory(FileHandle root, FileAccess access, StoragePath path)
      throws IOException {
    FileHandle current = root.child(".");
    boolean found = false;
    try {
      for (int count = 1; count <= path.names().size(); count++) {
        requireEnter(access, current, path);
        FileHandle next =
            step(root, current, path.first(count))
                .orElseThrow(() -> FileErrors.notFound(path.toString()));
        current.close();
        current = next;
      }
      if (current.attributes().kind() != FileHandle.Kind.DIRECTORY) {
        throw FileErrors.notDirectory(path.toString());
      }
      found = true;
      return current;
    } finally {
      if (!found) {
        current.close();
      }
    }
  }

  private Optional<FileHandle> step(FileHandle root, FileHandle parent, StoragePath path)
      throws IOException {
    return followsLinks ? root.find(path.toString()) : parent.findEntry(path.name());
  }

  @Override
  public DirectoryPage list(StorageUser user, StoragePath path, String after, int limit)
      throws IOException {
    try (FileHandle directory = open(user, path)) {
      if (directory.attributes().kind() != FileHandle.Kind.DIRECTORY) {
        throw FileErrors.notDirectory(path.toString());
      }
      return DirectoryPage.read(
          directory,
          after,
          limit,
          name -> {
            if (!roots.readOnly()) {
              StagingName.deleteAbandoned(directory, name, clock);
            }
          });
    } catch (IOException e) {
      throw FileErrors.explain(e, path.toString());
    }
  }

  @Override
  public Upload write(StorageUser user, StoragePath path, boolean overwrite) throws IOException {
    requireWritable(path);
    FileHandle root = roots.open(user);
    boolean started = false;
    try (FileHandle existing = openExistingParent(root, roots.access(user), path)) {
      Upload upload =
          DirectoryUpload.begin(this, user, root, existing, path, overwrite, usesUnnamedFiles);
      started = true;
      return upload;
    } catch (IOException e) {
      throw FileErrors.explain(e, path.toString());
    } finally {
      if (!started) {
        root.close();
      }
    }
  }

  /**
   * Opens the last existing directory on the way to a new file, and fails early if the file cannot
   * be created.
   */
  private FileHandle openExistingParent(FileHandle root, FileAccess access, StoragePath path)
      throws IOException {
    for (int count = path.names().size() - 1; ; count--) {
      try (FileHandle found = find(root, access, path.first(count), followsLinks)) {
        if (found.attributes().kind() != FileHandle.Kind.DIRECTORY) {
          throw FileErrors.notDirectory(path.first(count).toString());
        }
        requireChange(access, found, path);
        return found.child(".");
      } catch (AppException e) {
        if (e.code() != ErrorCode.NOT_FOUND || count == 0) {
          throw e;
        }
      }
    }
  }

  private static void requireChange(FileAccess access, FileHandle directory, StoragePath path) {
    if (!access.mayChange(directory.attributes())) {
      throw FileErrors.notPermitted(path.toString());
    }
  }

  @Override
  public void createDirectory(StorageUser user, StoragePath path) throws IOException {
    requireWritable(path);
    try (FileHandle root = roots.open(user)) {
      createDirectories(root, user, path).close();
    } catch (IOException e) {
      throw FileErrors.explain(e, path.toString());
    }
  }

  /** Opens a directory; creates it and its parents if they do not exist. */
  FileHandle createDirectories(FileHandle root, StorageUser user, StoragePath path)
      throws IOException {
    FileAccess access = roots.access(user);
    FileHandle current = root.child(".");
    boolean found = false;
    try {
      for (int count = 1; count <= path.names().size(); count++) {
        StoragePath currentPath = path.first(count);
        requireEnter(access, current, currentPath);
        Optional<FileHandle> existing = step(root, current, currentPath);
        FileHandle next =
            existing.isPresent()
                ? existing.get()
                : createChild(root, current, user, access, currentPath);
        current.close();
        current = next;
        if (current.attributes().kind() != FileHandle.Kind.DIRECTORY) {
          throw FileErrors.notDirectory(currentPath.toString());
        }
      }
      found = true;
      return current;
    } finally {
      if (!found) {
        current.close();
      }
    }
  }

  private FileHandle createChild(
      FileHandle root, FileHandle parent, StorageUser user, FileAccess access, StoragePath path)
      throws IOException {
    requireChange(access, parent, path);
    try {
      DirectoryEntries.createDirectory(parent, path.name());
    } catch (LinuxException e) {
      if (e.errno() != LinuxException.EEXIST) {
        throw e;
      }
      // Another request created it, or it is a link to nothing.
      return step(root, parent, path).orElseThrow(() -> FileErrors.exists(path.toString()));
    }
    try (FileHandle created =
        parent.findEntry(path.name()).orElseThrow(() -> FileErrors.notFound(path.toString()))) {
      if (created.attributes().kind() != FileHandle.Kind.DIRECTORY) {
        throw FileErrors.notDirectory(path.toString());
      }
      if (isEmpty(created)) {
        roots.handOver(created, user, 0755);
      }
      // With the new owner, on which the next decision depends.
      return created.child(".");
    }
  }

  /**
   * Returns whether this can be the directory that was just created. A task may have replaced it by
   * another one, whose owner must not change.
   */
  private static boolean isEmpty(FileHandle directory) throws IOException {
    try (DirectoryStream<Path> children = Files.newDirectoryStream(directory.path())) {
      return !children.iterator().hasNext();
    }
  }

  @Override
  public void move(StorageUser user, StoragePath from, StoragePath to, boolean overwrite)
      throws IOException {
    requireWritable(from);
    requireWritable(to);
    if (to.startsWith(from)) {
      throw FileErrors.conflict("error.file-not-movable", from.toString());
    }
    FileAccess access = roots.access(user);
    try (FileHandle root = roots.open(user);
        FileHandle source = openDirectory(root, access, from.parent());
        FileHandle target = openDirectory(root, access, to.parent())) {
      requireRemovable(access, source, from);
      boolean replaces = requireFree(access, target, to, overwrite);
      DirectoryEntries.rename(source, from.name(), target, to.name(), replaces);
    } catch (IOException e) {
      throw FileErrors.explain(e, to.toString());
    }
  }

  private static FileHandle.Kind requireRemovable(
      FileAccess access, FileHandle directory, StoragePath path) throws IOException {
    requireEnter(access, directory, path);
    try (FileHandle entry =
        directory.findEntry(path.name()).orElseThrow(() -> FileErrors.notFound(path.toString()))) {
      if (!access.mayRemove(directory.attributes(), entry.attributes())) {
        throw FileErrors.notPermitted(path.toString());
      }
      return entry.attributes().kind();
    }
  }

  /**
   * Checks that a file can get a name. Returns whether it replaces an existing one. If nothing
   * exists, nothing that appears in the meantime may be replaced.
   */
  boolean requireFree(FileHandle directory, StorageUser user, StoragePath path, boolean overwrite)
      throws IOException {
    return requireFree(roots.access(user), directory, path, overwrite);
  }

  private static boolean requireFree(
      FileAccess access, FileHandle directory, StoragePath path, boolean overwrite)
      throws IOException {
    requireChange(access, directory, path);
    Optional<FileHandle> existing = directory.findEntry(path.name());
    if (existing.isEmpty()) {
      return false;
    }
    try (FileHandle entry = existing.get()) {
      if (!overwrite) {
        throw FileErrors.exists(path.toString());
      }
      if (!access.mayRemove(directory.attributes(), entry.attributes())) {
        throw FileErrors.notPermitted(path.toString());
      }
      return true;
    }
  }

  @Override
  public void delete(StorageUser user, StoragePath path, boolean recursive) throws IOException {
    requireWritable(path);
    FileAccess access = roots.access(user);
    try (FileHandle root = roots.open(user);
        FileHandle directory = openDirectory(root, access, path.parent())) {
      if (requireRemovable(access, directory, path) != FileHandle.Kind.DIRECTORY) {
        DirectoryEntries.deleteFile(directory, path.name());
      } else if (recursive) {
        deleteTree(directory, user, path);
      } else {
        DirectoryEntries.deleteDirectory(directory, path.name());
      }
    } catch (IOException e) {
      throw FileErrors.explain(e, path.toString());
    }
  }

  private void deleteTree(FileHandle directory, StorageUser user, StoragePath path)
      throws IOException {
    if (!followsLinks) {
      requireOwnTree(directory, user, path);
    }
    // The ID of this process, because the deleter may run chmod in another process.
    Path parent =
        Path.of("/proc/" + ProcessHandle.current().pid() + "/fd/" + directory.descriptor());
    try {
      TreeDeleter.delete(parent.resolve(path.name()));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Rejects a tree with directories of other users, from which the user may delete nothing. */
  private void requireOwnTree(FileHandle directory, StorageUser user, StoragePath path)
      throws IOException {
    FileAccess access = roots.access(user);
    boolean[] foreign = {false};
    FileHandle top =
        directory.findEntry(path.name()).orElseThrow(() -> FileErrors.notFound(path.toString()));
    try (TreeUsage tree =
        new TreeUsage(
            top,
            attributes -> {
              foreign[0] |= !access.mayChange(attributes);
              return !foreign[0];
            })) {
      while (tree.step() && !foreign[0]) {
        // The predicate looks at each directory.
      }
    }
    if (foreign[0]) {
      throw FileErrors.notPermitted(path.toString());
    }
  }

  private void requireWritable(StoragePath path) {
    if (roots.readOnly() || path.isRoot()) {
      throw FileErrors.notPermitted(path.isRoot() ? name : path.toString());
    }
  }

  /** Gives a new file to the user. */
  void handOver(FileHandle file, StorageUser user) throws IOException {
    roots.handOver(file, user, 0644);
  }

  @Override
  public TreeUsage usage(StorageUser user, StoragePath path) throws IOException {
    FileAccess access = roots.access(user);
    return new TreeUsage(open(user, path), access::mayRead);
  }

  @Override
  public boolean isReadable(StorageUser user, FileHandle.Attributes attributes) {
    return roots.access(user).mayRead(attributes);
  }
}
