package dev.trainyard.engine.process;

import dev.trainyard.engine.linux.DescriptorPoller;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;

/** Stream that writes the input of a command; a write blocks while the command does not read. */
final class DescriptorOutput extends OutputStream {
  private final Descriptor descriptor;

  DescriptorOutput(Descriptor descriptor) {
    this.descriptor = descriptor;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    int writtenBytes = 0;
    while (writtenBytes < length) {
      int count = descriptor.write(bytes, offset + writtenBytes, length - writtenBytes);
      if (count == Descriptor.WOULD_BLOCK) {
        descriptor.whenReady(DescriptorPoller.Event.WRITE).join();
      } else {
        writtenBytes += count;
      }
    }
  }

  @Override
  public void close() {
    descriptor.close();
  }
}
