package dev.trainyard.engine.linux;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Converts between paths and the bytes of their names. In Linux, a name may contain bytes that are
 * not valid text. A Java path preserves these bytes, but only its URI exposes them.
 */
public final class RawName {
  private RawName() {}

  /** Returns the bytes of a whole path, as Latin-1. */
  public static String of(Path path) {
    String text = path.toString();
    if (text.chars().allMatch(character -> character < 0x80)) {
      return text;
    }
    String raw = (path.isAbsolute() ? path : Path.of("/").resolve(path)).toUri().getRawPath();
    String decoded = decode(raw);
    // Java appends a slash to the URI if the path is a directory on the disk.
    int end =
        decoded.endsWith("/") && decoded.length() > 1 ? decoded.length() - 1 : decoded.length();
    return decoded.substring(path.isAbsolute() ? 0 : 1, end);
  }

  private static String decode(String raw) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < raw.length(); i++) {
      if (raw.charAt(i) == '%') {
        bytes.write(Integer.parseInt(raw.substring(i + 1, i + 3), 16));
        i += 2;
      } else {
        bytes.write(raw.charAt(i));
      }
    }
    return bytes.toString(StandardCharsets.ISO_8859_1);
  }

  /** Returns the path with these bytes, which may be relative or absolute. */
  public static Path path(String latin1) {
    StringBuilder uri = new StringBuilder("file:///");
    for (int i = latin1.startsWith("/") ? 1 : 0; i < latin1.length(); i++) {
      char character = latin1.charAt(i);
      if (character == '/') {
        uri.append('/');
      } else {
        uri.append(String.format("%%%02X", (int) character));
      }
    }
    Path absolute = Path.of(URI.create(uri.toString()));
    if (latin1.startsWith("/")) {
      return absolute;
    }
    return absolute.subpath(0, absolute.getNameCount());
  }
}
