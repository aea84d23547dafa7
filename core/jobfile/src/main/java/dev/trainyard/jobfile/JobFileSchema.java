package dev.trainyard.jobfile;

import dev.trainyard.model.JobFormat;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The JSON Schema of each format, for completion and validation in editors. */
public final class JobFileSchema {
  private JobFileSchema() {}

  public static String of(JobFormat format) {
    String resource = "schema/" + format.label() + ".json";
    try (InputStream in = JobFileSchema.class.getResourceAsStream(resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
