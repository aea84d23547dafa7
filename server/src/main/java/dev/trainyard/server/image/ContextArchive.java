package dev.trainyard.server.image;

import dev.trainyard.model.AppException;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.backup.ArchiveEntry;
import dev.trainyard.server.backup.TarInput;
import dev.trainyard.server.work.HeavyWork;
import java.io.BufferedInputStream;
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
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.zip.GZIPInputStream;

/**
 * Unpacks an archive that somebody sent, and trusts none of it: only directories, files and links,
 * nothing outside, no more than is allowed. Every directory on the way to an entry was made by this
 * archive itself and is no link, so a path means what it says.
 */
final class ContextArchive {
  static final int MOST_ENTRIES = 200_000;
  static final int DEEPEST_PATH = 128;
  private static final int LONGEST_PATH = 4000;
  private static final int MODES = 0777;
  private static final long LOOK_EVERY = 64L << 20;

  /** Entries, and bytes of their content, that one piece of pooled work writes. */
  private static final int BATCH_ENTRIES = 128;

  private static final int BATCH_BYTES = 1 << 20;

  /** Longer files are written while they arrive. */
  private static final int SMALL_FILE = 1 << 16;

  private final Path root;
  private final DataSize limit;
  private final OptionalInt owner;
  private final Runnable requireRoom;
  private final int mostEntries;
  private final List<Write> batch = new ArrayList<>();
  private int batchBytes;
  private final Directory top = new Directory();
  private long bytes;
  private long looked;
  private int entries;

  /** Puts a received entry on the disk. */
  @FunctionalInterface
  private interface Write {
    void perform() throws IOException;
  }

  /** A directory that exists, by the names of those in it. Paths would repeat each name. */
  private static final class Directory {
    private Map<String, Directory> inside = Map.of();

    Optional<Directory> find(String name) {
      return Optional.ofNullable(inside.get(name));
    }

    Directory add(String name) {
      if (inside.isEmpty()) {
        inside = new HashMap<>(2);
      }
      Directory added = new Directory();
      inside.put(name, added);
      return added;
    }
  }

  /**
   * @param root an empty directory
   * @param limit of all files together, unpacked
   * @param owner the id that everything is given to; empty to leave it with the server
   * @param requireRoom throws if the disk is nearly full
   */
  ContextArchive(Path root, DataSize limit, OptionalInt owner, Runnable requireRoom) {
    this(root, limit, owner, requireRoom, MOST_ENTRIES);
  }

  ContextArchive(
      Path root, DataSize limit, OptionalInt owner, Runnable requireRoom, int mostEntries) {
    this.mostEntries = mostEntries;
    this.root = root;
    this.limit = limit;
    this.owner = owner;
    this.requireRoom = requireRoom;
  }

  /** Packed by gzip or not. What is wrong with the archive comes out as BAD_REQUEST. */
  void unpack(InputStream body) throws IOException {
    BufferedInputStream in = new BufferedInputStream(body, 1 << 16);
    in.mark(2);
    boolean gzip = in.read() == 0x1F && in.read() == 0x8B;
    in.reset();
    own(root);
    TarInput tar = new TarInput(gzip ? new BufferedInputStream(new GZIPInputStream(in)) : in);
    for (Optional<ArchiveEntry> next = tar.next(); next.isPresent(); next = tar.next()) {
      count();
      receive(tar, next.get());
    }
    writeBatch();
  }

  /** Counts entries, and directories that only the paths of entries imply: both take inodes. */
  private void count() {
    if (++entries > mostEntries) {
      throw refused(Message.of("error.context-many", "most", mostEntries));
    }
  }

  private void receive(TarInput tar, ArchiveEntry entry) throws IOException {
    String path = path(entry.name());
    if (path.isEmpty()) {
      return; // the directory itself
    }
    boolean large = entry.size() > SMALL_FILE;
    byte[] content = new byte[large ? 0 : (int) entry.size()];
    if (!large) {
      read(tar, content);
    }
    Path place = root.resolve(path);
    batch.add(() -> create(entry, path, content));
    if (!large) {
      batch.add(() -> finish(entry, place)); // the mode may forbid to append
    }
    batchBytes += content.length;
    if (large || batch.size() >= BATCH_ENTRIES || batchBytes >= BATCH_BYTES) {
      writeBatch();
    }
    if (large) {
      append(tar, place);
      finish(entry, place);
    }
  }

  /**
   * A few bytes of an archive may expand to many files, and requests of other users must not wait.
   */
  private void writeBatch() throws IOException {
    HeavyWork.FILES.<Optional<Void>, IOException>resume(
        () -> {
          for (Write write : batch) {
            write.perform();
          }
          return Optional.empty();
        });
    batch.clear();
    batchBytes = 0;
  }

  private void create(ArchiveEntry entry, String path, byte[] content) throws IOException {
    Directory parent = createParents(path);
    Path place = root.resolve(path);
    switch (entry.kind()) {
      case DIRECTORY -> createDirectory(parent, path);
      case FILE -> Files.write(requireNew(path, place), content, StandardOpenOption.CREATE_NEW);
      case LINK -> Files.createSymbolicLink(requireNew(path, place), Path.of(target(path, entry)));
    }
  }

  private void finish(ArchiveEntry entry, Path place) throws IOException {
    own(place);
    if (entry.kind() != ArchiveEntry.Kind.LINK) {
      Files.setPosixFilePermissions(place, permissions(entry));
    }
    if (entry.kind() == ArchiveEntry.Kind.FILE) {
      Files.setLastModifiedTime(place, FileTime.fromMillis(entry.modified() * 1000));
    }
  }

  /** Names are bytes on disk; what is no UTF-8 could not be named by a Dockerfile either. */
  private static String text(String latin) {
    return new String(latin.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  private static String path(String name) {
    if (name.length() > LONGEST_PATH) {
      throw refused(Message.of("error.context-path", "path", shortened(text(name))));
    }
    String text = text(name);
    String clean = text.replaceFirst("^(\\./)+", "").replaceFirst("/+$", "");
    if (clean.isEmpty() || clean.equals(".")) {
      return "";
    }
    List<String> names = List.of(clean.split("/", -1));
    boolean bad =
        names.stream().anyMatch(one -> one.isEmpty() || one.equals(".") || one.equals(".."));
    if (bad || clean.indexOf('\0') >= 0) {
      throw refused(Message.of("error.context-path", "path", shortened(text)));
    }
    if (names.size() > DEEPEST_PATH) {
      throw refused(
          Message.of("error.context-deep", "path", shortened(text)).with("most", DEEPEST_PATH));
    }
    return clean;
  }

  private static String shortened(String text) {
    return text.length() > 200 ? text.substring(0, 200) + "…" : text;
  }

  private Directory createParents(String path) throws IOException {
    Directory parent = top;
    for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      String directory = path.substring(0, slash);
      Optional<Directory> existing = parent.find(lastName(directory));
      if (existing.isEmpty()) {
        count();
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
    Path place = requireNew(path, root.resolve(path));
    Files.createDirectory(place);
    own(place);
    return parent.add(name);
  }

  private static String lastName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private static Path requireNew(String path, Path place) {
    if (Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
      throw refused(Message.of("error.context-twice", "path", shortened(path)));
    }
    return place;
  }

  /**
   * Up first and down afterwards, and never above the root: then no chain of links leads out
   * either.
   */
  private static String target(String path, ArchiveEntry entry) {
    String target = text(entry.target());
    int depth = (int) path.chars().filter(c -> c == '/').count();
    boolean down = false;
    boolean bad = target.isEmpty() || target.startsWith("/") || target.indexOf('\0') >= 0;
    for (String name : target.split("/", -1)) {
      if (name.equals("..")) {
        bad |= down || --depth < 0;
      } else if (!name.isEmpty() && !name.equals(".")) {
        down = true;
      }
    }
    if (bad) {
      throw refused(
          Message.of("error.context-link", "path", shortened(path))
              .with("target", shortened(target)));
    }
    return target;
  }

  private void read(TarInput tar, byte[] content) throws IOException {
    byte[] buffer = new byte[content.length];
    int filled = 0;
    for (int count = tar.read(buffer); count >= 0; count = tar.read(buffer)) {
      System.arraycopy(buffer, 0, content, filled, count);
      filled += count;
      count(count);
    }
  }

  private void append(TarInput tar, Path place) throws IOException {
    byte[] buffer = new byte[1 << 16];
    try (OutputStream out = Files.newOutputStream(place, StandardOpenOption.WRITE)) {
      for (int count = tar.read(buffer); count >= 0; count = tar.read(buffer)) {
        count(count);
        out.write(buffer, 0, count);
      }
    }
  }

  private void count(int more) {
    bytes += more;
    if (bytes > limit.bytes()) {
      throw new AppException(
          ErrorCode.TOO_LARGE, Message.of("error.context-large", "limit", limit.bytes()));
    }
    if (bytes - looked > LOOK_EVERY) {
      looked = bytes;
      requireRoom.run();
    }
  }

  private void own(Path place) throws IOException {
    if (owner.isPresent()) {
      Files.setAttribute(place, "unix:uid", owner.getAsInt(), LinkOption.NOFOLLOW_LINKS);
      Files.setAttribute(place, "unix:gid", owner.getAsInt(), LinkOption.NOFOLLOW_LINKS);
    }
  }

  /** Without what would make somebody else of whoever runs it. */
  private static Set<PosixFilePermission> permissions(ArchiveEntry entry) {
    Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
    PosixFilePermission[] all = PosixFilePermission.values();
    int mode = entry.mode() & MODES;
    for (int i = 0; i < all.length; i++) {
      if ((mode & (0400 >> i)) != 0) {
        permissions.add(all[i]);
      }
    }
    if (entry.kind() == ArchiveEntry.Kind.DIRECTORY) {
      // The server itself must get into it.
      permissions.addAll(
          Set.of(
              PosixFilePermission.OWNER_READ,
              PosixFilePermission.OWNER_WRITE,
              PosixFilePermission.OWNER_EXECUTE));
    }
    return permissions;
  }

  static AppException refused(Message message) {
    return new AppException(ErrorCode.BAD_REQUEST, message);
  }
}
