package dev.trainyard.server.file;

import dev.trainyard.engine.linux.FileHandle;
import dev.trainyard.engine.linux.LinuxException;
import dev.trainyard.engine.linux.TaskWrittenFile;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.storage.FileErrors;
import dev.trainyard.server.work.WorkPools;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Creates responses that contain a user's file. The file is sent as an attachment, so that a
 * browser saves it and does not execute the content with the rights of the signed-in user.
 */
public final class FileDownload {
  private static final Pattern RANGE = Pattern.compile("bytes=(\\d{0,18})-(\\d{0,18})");
  private static final int CHUNK_SIZE = 256 * 1024;

  private FileDownload() {}

  /**
   * Opens the file. Called once for the attributes, and a second time for the content, which a HEAD
   * request does not need.
   */
  @FunctionalInterface
  public interface FileOpener {
    FileHandle open() throws IOException;
  }

  public static Reply of(FileOpener opener, String name, Request request) throws IOException {
    FileHandle.Attributes attributes;
    try (FileHandle file = opener.open()) {
      attributes = file.attributes();
    }
    long size = attributes.size();
    String tag = tag(attributes);
    Part part = Part.requestedPart(request, size, tag);
    if (part == null) {
      return attachment(Reply.of(416, null), name).with("Content-Range", "bytes */" + size);
    }
    Reply.Stream body = sink -> copy(opener, tag, part, sink);
    Reply reply =
        attachment(Reply.of(part.isWholeFile() ? 200 : 206, body), name)
            .with("Content-Type", "application/octet-stream")
            .with("Content-Length", String.valueOf(part.length()))
            .with("Accept-Ranges", "bytes")
            .with("ETag", tag);
    return part.isWholeFile()
        ? reply
        : reply.with(
            "Content-Range",
            "bytes %d-%d/%d".formatted(part.from(), part.from() + part.length() - 1, size));
  }

  /** Returns the handle of a regular file that the server can read; else closes it and fails. */
  public static FileHandle requireFile(FileHandle file, String path) throws IOException {
    boolean accepted = false;
    try {
      if (file.attributes().kind() != FileHandle.Kind.FILE) {
        throw FileErrors.notFile(path);
      }
      if (!Files.isReadable(file.path())) {
        throw FileErrors.unreadable(path);
      }
      requireNotLeased(file, path);
      accepted = true;
      return file;
    } finally {
      if (!accepted) {
        file.close();
      }
    }
  }

  /** Rejects a file on which a task holds a lease, before the response begins. */
  private static void requireNotLeased(FileHandle file, String path) throws IOException {
    try {
      TaskWrittenFile.openForReading(file.path()).close();
    } catch (LinuxException e) {
      if (e.isLeased()) {
        throw FileErrors.leased(path);
      }
      throw e;
    }
  }

  /** Returns the file name of a download, which never contains a directory. */
  public static String name(String path, String nameOfRoot) {
    int end = path.length();
    while (end > 0 && path.charAt(end - 1) == '/') {
      end--;
    }
    String lastName = path.substring(path.lastIndexOf('/', end - 1) + 1, end);
    return lastName.chars().allMatch(letter -> letter == '.') ? nameOfRoot : lastName;
  }

  private static String tag(FileHandle.Attributes attributes) {
    return "\"%x-%x\""
        .formatted(attributes.size(), attributes.modified().to(TimeUnit.MICROSECONDS));
  }

  /** The requested part of a file. */
  private record Part(long from, long length, boolean isWholeFile) {
    /**
     * Returns the requested part; null if the range begins after the end of the file. A request for
     * several ranges gets the whole file.
     */
    static Part requestedPart(Request request, long size, String tag) {
      Matcher range = RANGE.matcher(request.header("Range").orElse(""));
      boolean sameFile = request.header("If-Range").map(tag::equals).orElse(true);
      if (!sameFile || !range.matches() || range.group().equals("bytes=-")) {
        return new Part(0, size, true);
      }
      if (range.group(1).isEmpty()) {
        long suffixLength = Math.min(size, Long.parseLong(range.group(2)));
        return suffixLength == 0 ? null : new Part(size - suffixLength, suffixLength, false);
      }
      long from = Long.parseLong(range.group(1));
      long to = range.group(2).isEmpty() ? size - 1 : Long.parseLong(range.group(2));
      if (to < from && !range.group(2).isEmpty()) {
        return new Part(0, size, true);
      }
      return from >= size ? null : new Part(from, Math.min(to, size - 1) - from + 1, false);
    }
  }

  private static void copy(FileOpener opener, String tag, Part part, Reply.Sink sink)
      throws IOException {
    try (FileChannel channel = WorkPools.FILES.resume(() -> open(opener, tag))) {
      copy(channel, part, sink);
    }
  }

  private static FileChannel open(FileOpener opener, String tag) throws IOException {
    try (FileHandle file = opener.open()) {
      if (!tag(file.attributes()).equals(tag)) {
        throw new IOException("the file has changed");
      }
      return TaskWrittenFile.openForReading(file.path());
    }
  }

  private static void copy(FileChannel file, Part part, Reply.Sink sink) throws IOException {
    ByteBuffer chunk = ByteBuffer.allocate(CHUNK_SIZE);
    long position = part.from();
    long end = part.from() + part.length();
    while (position < end) {
      chunk.clear().limit((int) Math.min(CHUNK_SIZE, end - position));
      long from = position;
      int count = WorkPools.FILES.resume(() -> file.read(chunk, from));
      if (count < 0) {
        throw new IOException("the file became shorter");
      }
      sink.write(chunk.array(), 0, count);
      position += count;
    }
  }

  /**
   * Adds headers that cause a browser to save the response as a file of this name, regardless of
   * the content.
   */
  public static Reply attachment(Reply reply, String name) {
    String asciiName = name.replaceAll("[^A-Za-z0-9._-]", "_");
    String encodedName = URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    return reply
        .with(
            "Content-Disposition",
            "attachment; filename=\""
                + asciiName
                + "\"; filename*=UTF-8''"
                + encodedName.replace("*", "%2A"))
        .with("X-Content-Type-Options", "nosniff")
        .with("Content-Security-Policy", "sandbox; default-src 'none'; frame-ancestors 'none'")
        .with("Cache-Control", "no-store");
  }
}
