package dev.trainyard.server.file;

import dev.trainyard.engine.linux.FileHandle;
import dev.trainyard.server.backup.ArchiveEntry;
import dev.trainyard.server.backup.TarOutput;
import dev.trainyard.server.storage.DirectoryPage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipOutputStream;

/** Archive formats for directories. */
public enum ArchiveFormat {
  ZIP("zip", "application/zip") {
    @Override
    TreeArchive.Packer packer(OutputStream out) {
      return new Zip(out);
    }
  },
  TAR("tar", "application/x-tar") {
    @Override
    TreeArchive.Packer packer(OutputStream out) {
      return new Tar(out);
    }
  };

  private final String label;
  private final String contentType;

  ArchiveFormat(String label, String contentType) {
    this.label = label;
    this.contentType = contentType;
  }

  String label() {
    return label;
  }

  String contentType() {
    return contentType;
  }

  abstract TreeArchive.Packer packer(OutputStream out);

  private static final class Tar implements TreeArchive.Packer {
    private final TarOutput tar;

    Tar(OutputStream out) {
      this.tar = new TarOutput(out);
    }

    @Override
    public void addDirectory(String name, FileHandle.Attributes attributes) throws IOException {
      tar.begin(entry(name, ArchiveEntry.Kind.DIRECTORY, 0755, 0, attributes));
    }

    @Override
    public boolean beginFile(String name, FileHandle.Attributes attributes) throws IOException {
      tar.begin(entry(name, ArchiveEntry.Kind.FILE, 0644, attributes.size(), attributes));
      return true;
    }

    @Override
    public void writeContent(byte[] bytes, int length) throws IOException {
      tar.writeContent(bytes, 0, length);
    }

    @Override
    public void endFile(FileHandle.Attributes attributes) throws IOException {
      tar.endContent(attributes.size());
    }

    /** Returns true, because the format stores the size before the content. */
    @Override
    public boolean isSizeFixed() {
      return true;
    }

    /** Omits owner and permissions, which have no meaning where the archive is unpacked. */
    private static ArchiveEntry entry(
        String name,
        ArchiveEntry.Kind kind,
        int mode,
        long size,
        FileHandle.Attributes attributes) {
      long modified = Math.max(0, attributes.modified().to(TimeUnit.SECONDS));
      return new ArchiveEntry(name, kind, mode, 0, 0, size, modified, "");
    }

    @Override
    public void finish() throws IOException {
      tar.finish();
    }
  }

  private static final class Zip implements TreeArchive.Packer {
    /** Maximum length of a name in bytes; the format stores the length in two bytes. */
    private static final int MAX_NAME_LENGTH = 60_000;

    private final ZipOutputStream zip;

    Zip(OutputStream out) {
      this.zip = new ZipOutputStream(out, StandardCharsets.UTF_8);
      zip.setLevel(Deflater.BEST_SPEED);
    }

    @Override
    public void addDirectory(String name, FileHandle.Attributes attributes) throws IOException {
      if (beginEntry(name, "/", attributes)) {
        zip.closeEntry();
      }
    }

    @Override
    public boolean beginFile(String name, FileHandle.Attributes attributes) throws IOException {
      return beginEntry(name, "", attributes);
    }

    @Override
    public void writeContent(byte[] bytes, int length) throws IOException {
      zip.write(bytes, 0, length);
    }

    @Override
    public void endFile(FileHandle.Attributes attributes) throws IOException {
      zip.closeEntry();
    }

    @Override
    public boolean isSizeFixed() {
      return false;
    }

    /**
     * Begins an entry; returns false if no valid name for the entry is found. Replaces backslashes,
     * because some programs treat them as slashes. Adds a number to duplicate names, because names
     * that are not valid UTF-8 may become equal.
     */
    private boolean beginEntry(String rawName, String suffix, FileHandle.Attributes attributes)
        throws IOException {
      String name = DirectoryPage.decode(rawName).replace('\\', '_');
      if (name.getBytes(StandardCharsets.UTF_8).length > MAX_NAME_LENGTH) {
        return false;
      }
      for (int copy = 1; ; copy++) {
        ZipEntry entry = new ZipEntry(name + (copy == 1 ? "" : "~" + copy) + suffix);
        entry.setTime(Math.max(0, attributes.modified().toMillis()));
        try {
          zip.putNextEntry(entry);
          return true;
        } catch (ZipException e) {
          if (copy == 100) {
            return false;
          }
        }
      }
    }

    @Override
    public void finish() throws IOException {
      zip.finish();
      zip.flush();
    }
  }
}
