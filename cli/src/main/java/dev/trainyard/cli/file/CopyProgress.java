package dev.trainyard.cli.file;

import dev.trainyard.cli.Localizer;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.terminal.PlainText;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;

/** Counts what {@code trainyard cp} has copied, and shows it in the progress line. */
final class CopyProgress {
  private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final Session session;
  private long fileCount;
  private long byteCount;
  private long shownAt = System.nanoTime() - INTERVAL_NANOS;

  CopyProgress(Session session) {
    this.session = session;
  }

  long fileCount() {
    return fileCount;
  }

  /** Returns the number of bytes in the files that were copied completely. */
  long byteCount() {
    return byteCount;
  }

  void fileCopied(long size) {
    fileCount++;
    byteCount += size;
  }

  /** Returns a stream that writes the content of a file and shows how much it has written. */
  OutputStream watch(String path, OutputStream out) {
    return new FilterOutputStream(out) {
      private long written;

      @Override
      public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
        written += length;
        show(path, byteCount + written);
      }
    };
  }

  private void show(String path, long bytes) {
    long now = System.nanoTime();
    if (now - shownAt < INTERVAL_NANOS || !session.terminal().properties().errIsTerminal()) {
      return;
    }
    shownAt = now;
    session
        .terminal()
        .status(
            session
                .localizer()
                .text(
                    "cli.cp.progress",
                    "files",
                    fileCount,
                    "size",
                    Localizer.bytes(bytes),
                    "path",
                    PlainText.of(path)));
  }

  void end() {
    session.terminal().clearStatus();
  }
}
