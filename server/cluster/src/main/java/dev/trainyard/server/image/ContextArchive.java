package dev.trainyard.server.image;

import dev.trainyard.model.AppException;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.backup.ArchiveEntry;
import dev.trainyard.server.backup.TarInput;
import dev.trainyard.server.work.Requester;
import dev.trainyard.server.work.WorkPools;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Unpacks an untrusted archive. Accepts only directories, regular files and symbolic links, rejects
 * paths outside the target directory, and enforces limits. This class creates every parent
 * directory of an entry itself and rejects the archive if a link already has that path, so no link
 * can redirect a path.
 */
final class ContextArchive {
  static final int MAX_ENTRIES = 200_000;
  static final int MAX_DEPTH = 128;
  private static final int MAX_PATH_LENGTH = 4000;
  private static final int PERMISSION_BITS = 0777;
  private static final long CHECK_EVERY_BYTES = 64L << 20;
  private static final int CHECK_EVERY_ENTRIES = 10_000;
  private static final int BLOCK_SIZE = 1 << 16;

  /**
   * Maximum number of entries that one task of the thread pool creates; {@link
   * #MAX_BYTES_PER_PIECE} limits the decompressed bytes.
   */
  private static final int MAX_ENTRIES_PER_PIECE = 64;

  private static final int MAX_BYTES_PER_PIECE = 1 << 20;

  /** Bytes allowed for the headers of each entry, in addition to the file contents. */
  private static final long HEADER_BYTES_PER_ENTRY = 4096;

  private final Path root;
  private final DataSize limit;
  private final OptionalInt owner;
  private final Runnable requireSpace;
  private final Budget budget;
  private final int maxEntries;
  private final byte[] block = new byte[BLOCK_SIZE];
  private final Directory rootDirectory = new Directory();
  private TarInput tar;
  private CountedInput decodedInput;
  private Optional<UnfinishedFile> file = Optional.empty();
  private long bytes;
  private long checkedBytes;
  private int entries;

  /**
   * Reserves capacity for entries and bytes before they are written; may reject them with an
   * AppException.
   */
  @FunctionalInterface
  interface Budget {
    void reserve(long entries, long bytes);
  }

  /** A file whose content is not complete yet. */
  private record UnfinishedFile(ArchiveEntry entry, Path path, OutputStream out) {}

  /** Counts the bytes that are read. */
  private static final class CountedInput extends FilterInputStream {
    private long count;

    CountedInput(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int value = super.read();
      count += value < 0 ? 0 : 1;
      return value;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int read = super.read(buffer, offset, length);
      count += Math.max(0, read);
      return read;
    }

    @Override
    public long skip(long maxBytes) throws IOException {
      long skipped = super.skip(maxBytes);
      count += skipped;
      return skipped;
    }
  }

  /**
   * A created directory with its subdirectories by name. This tree needs less memory than full
   * paths, which would repeat the names of the parents.
   */
  private static final class Directory {
    private Map<String, Directory> children = Map.of();

    Optional<Directory> find(String name) {
      return Optional.ofNullable(children.get(name));
    }

    Directory add(String name) {
      if (children.isEmpty()) {
        children = new HashMap<>(2);
      }
      Directory added = new Directory();
      children.put(name, added);
      return added;
    }
  }

  /**
   * @param root an empty directory
   * @param limit maximum total size of the unpacked files
   * @param owner user ID and group ID that will own all files; if empty, the server's account owns
   *     them
   * @param requireSpace throws if the disk is nearly full
   */
  ContextArchive(
      Path root, DataSize limit, OptionalInt owner, Runnable requireSpace, Budget budget) {
    this(root, limit, owner, requireSpace, budget, MAX_ENTRIES);
  }

  ContextArchive(
      Path root,
      DataSize limit,
      OptionalInt owner,
      Runnable requireSpace,
      Budget budget,
      int maxEntries) {
    this.maxEntries = maxEntries;
    this.root = root;
    this.limit = limit;
    this.owner = owner;
    this.requireSpace = requireSpace;
    this.budget = budget;
  }

  /**
   * Unpacks an archive, which may be compressed with gzip. Rejects an invalid archive with
   * BAD_REQUEST. Stores the body first, then decompresses it and creates the files on pooled
   * threads. This work is divided into pieces, because a few bytes may expand to many files and
   * much content.
   */
  void unpack(InputStream body) throws IOException {
    changeOwner(root);
    try (ReceivedArchive archive = ReceivedArchive.store(body, root.getParent(), requireSpace)) {
      boolean hasMore = true;
      while (hasMore) {
        hasMore = WorkPools.FILES.<Boolean, IOException>resume(() -> unpackSome(archive));
      }
    } finally {
      if (file.isPresent()) {
        file.get().out().close();
      }
    }
  }

  /** Unpacks one piece of the archive; returns whether more of it remains. */
  private boolean unpackSome(ReceivedArchive archive) throws IOException {
    if (tar == null) {
      decodedInput = new CountedInput(archive.decoded());
      tar = new TarInput(decodedInput);
    }
    long end = decodedInput.count + MAX_BYTES_PER_PIECE;
    for (int created = 0; created < MAX_ENTRIES_PER_PIECE && decodedInput.count < end; ) {
      Requester.requireCurrent();
      if (decodedInput.count > limit.bytes() + maxEntries * HEADER_BYTES_PER_ENTRY) {
        throw tooLarge();
      }
      if (file.isPresent()) {
        append(file.get());
        continue;
      }
      Optional<ArchiveEntry> next = tar.next();
      if (next.isEmpty()) {
        return false;
      }
      created++;
      countEntry();
      create(next.get());
    }
    return true;
  }

  /**
   * Counts an entry, or a directory that only the path of an entry implies, because both use
   * inodes.
   */
  private void countEntry() {
    if (++entries > maxEntries) {
      throw badRequest(Message.of("error.context-many", "most", maxEntries));
    }
    budget.reserve(1, 0);
    if (entries % CHECK_EVERY_ENTRIES == 0) {
      requireSpace.run();
    }
  }

  private void create(ArchiveEntry entry) throws IOException {
    String path = checkPath(entry.name());
    if (path.isEmpty()) {
      if (entry.size() > 0) {
        throw badRequest(
            Message.of("error.context-path", "path", abbreviate(decodeName(entry.name()))));
      }
      return; // the root directory itself
    }
    Directory parent = createParents(path);
    Path created = root.resolve(path);
    switch (entry.kind()) {
      case DIRECTORY -> createDirectory(parent, path);
      case FILE -> {
        OutputStream out =
            Files.newOutputStream(requireNew(path, created), StandardOpenOption.CREATE_NEW);
        file = Optional.of(new UnfinishedFile(entry, created, out));
        return;
      }
      case LINK ->
          Files.createSymbolicLink(requireNew(path, created), Path.of(target(path, entry)));
    }
    finish(entry, created);
  }

  private void append(UnfinishedFile unfinished) throws IOException {
    int count = tar.read(block);
    if (count >= 0) {
      countBytes(count);
      unfinished.out().write(block, 0, count);
      return;
    }
    file = Optional.empty();
    unfinished.out().close();
    finish(unfinished.entry(), unfinished.path()); // last, because the mode may forbid writing
  }

  private void finish(ArchiveEntry entry, Path target) throws IOException {
    changeOwner(target);
    if (entry.kind() != ArchiveEntry.Kind.LINK) {
      Files.setPosixFilePermissions(target, permissions(entry));
    }
    if (entry.kind() == ArchiveEntry.Kind.FILE) {
      Files.setLastModifiedTime(target, FileTime.fromMillis(entry.modified() * 1000));
    }
  }

  /**
   * Decodes the bytes of a name as UTF-8. Names that are not valid UTF-8 are changed, but a
   * Dockerfile could not refer to such names anyway.
   */
  private static String decodeName(String latin1) {
    return new String(latin1.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  /** Removes "./" from the start and slashes from the end. */
  private static String trim(String path) {
    int start = 0;
    while (path.startsWith("./", start)) {
      start += 2;
    }
    int end = path.length();
    while (end > start && path.charAt(end - 1) == '/') {
      end--;
    }
    return path.substring(start, end);
  }

  private static String checkPath(String name) {
    if (name.length() > MAX_PATH_LENGTH) {
      throw badRequest(Message.of("error.context-path", "path", abbreviate(decodeName(name))));
    }
    String text = decodeName(name);
    String trimmedPath = trim(text);
    if (trimmedPath.isEmpty() || trimmedPath.equals(".")) {
      return "";
    }
    List<String> names = List.of(trimmedPath.split("/", -1));
    boolean invalid =
        names.stream().anyMatch(part -> part.isEmpty() || part.equals(".") || part.equals(".."));
    if (invalid || trimmedPath.indexOf('\0') >= 0) {
      throw badRequest(Message.of("error.context-path", "path", abbreviate(text)));
    }
    if (names.size() > MAX_DEPTH) {
      throw badRequest(
          Message.of("error.context-deep", "path", abbreviate(text)).with("most", MAX_DEPTH));
    }
    return trimmedPath;
  }

  private static String abbreviate(String text) {
    return text.length() > 200 ? text.substring(0, 200) + "…" : text;
  }

  private Directory createParents(String path) throws IOException {
    Directory parent = rootDirectory;
    for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      String directory = path.substring(0, slash);
      Optional<Directory> existing = parent.find(lastName(directory));
      if (existing.isEmpty()) {
        countEntry();
      }
      parent = existing.isPresent() ? existing.get() : createDirectory(parent, directory);
    }
    return parent;
  }

  private Directory createDirectory(Directory parent, String path) throws IOException {
    String name = lastName(path);
    Optional<Directory> existing = parent.find(name);
    if (existing.isPresent()) {
      return existing.get();
    }
    Path target = requireNew(path, root.resolve(path));
    Files.createDirectory(target);
    changeOwner(target);
    return parent.add(name);
  }

  private static String lastName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private static Path requireNew(String path, Path target) {
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      throw badRequest(Message.of("error.context-twice", "path", abbreviate(path)));
    }
    return target;
  }

  /**
   * Returns the target of a symbolic link. Rejects an absolute target, a target with {@code ..}
   * after another name, and a target above the root, so that even a chain of links cannot lead
   * outside the root.
   */
  private static String target(String path, ArchiveEntry entry) {
    String target = decodeName(entry.target());
    int depth = (int) path.chars().filter(c -> c == '/').count();
    boolean descended = false;
    boolean invalid = target.isEmpty() || target.startsWith("/") || target.indexOf('\0') >= 0;
    for (String name : target.split("/", -1)) {
      if (name.equals("..")) {
        invalid |= descended || --depth < 0;
      } else if (!name.isEmpty() && !name.equals(".")) {
        descended = true;
      }
    }
    if (invalid) {
      throw badRequest(
          Message.of("error.context-link", "path", abbreviate(path))
              .with("target", abbreviate(target)));
    }
    return target;
  }

  private void countBytes(int addedBytes) {
    bytes += addedBytes;
    if (bytes > limit.bytes()) {
      throw tooLarge();
    }
    budget.reserve(0, addedBytes);
    if (bytes - checkedBytes > CHECK_EVERY_BYTES) {
      checkedBytes = bytes;
      requireSpace.run();
    }
  }

  private AppException tooLarge() {
    return new AppException(
        ErrorCode.TOO_LARGE, Message.of("error.context-large", "limit", limit.bytes()));
  }

  private void changeOwner(Path target) throws IOException {
    if (owner.isPresent()) {
      Files.setAttribute(target, "unix:uid", owner.getAsInt(), LinkOption.NOFOLLOW_LINKS);
      Files.setAttribute(target, "unix:gid", owner.getAsInt(), LinkOption.NOFOLLOW_LINKS);
    }
  }

  /** Returns the permissions without the setuid, setgid and sticky bits. */
  private static Set<PosixFilePermission> permissions(ArchiveEntry entry) {
    Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
    PosixFilePermission[] allPermissions = PosixFilePermission.values();
    int mode = entry.mode() & PERMISSION_BITS;
    for (int i = 0; i < allPermissions.length; i++) {
      if ((mode & (0400 >> i)) != 0) {
        permissions.add(allPermissions[i]);
      }
    }
    if (entry.kind() == ArchiveEntry.Kind.DIRECTORY) {
      // The server itself needs access to the directory.
      permissions.addAll(
          Set.of(
              PosixFilePermission.OWNER_READ,
              PosixFilePermission.OWNER_WRITE,
              PosixFilePermission.OWNER_EXECUTE));
    }
    return permissions;
  }

  static AppException badRequest(Message message) {
    return new AppException(ErrorCode.BAD_REQUEST, message);
  }
}
