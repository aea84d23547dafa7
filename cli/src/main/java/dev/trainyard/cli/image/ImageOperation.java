package dev.trainyard.cli.image;

import dev.trainyard.cli.Localizer;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.ApiError;
import dev.trainyard.cli.api.ConnectionErrors;
import dev.trainyard.cli.api.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Runs a long operation on an image and shows its progress. */
final class ImageOperation {
  private static final int READ_TIMEOUT_MILLIS = 3_600_000;

  private ImageOperation() {}

  /** Returns the resulting image; an error of the server is thrown as an exception. */
  static Json run(Session session, String path, Map<String, ?> fields) {
    ApiClient api = session.api();
    try (ApiClient.Stream stream = api.openPost(path, fields, READ_TIMEOUT_MILLIS);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(stream.bytes(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Json message = Json.parse(line.getBytes(StandardCharsets.UTF_8));
        if (message.at("error").isPresent()) {
          throw ApiError.of(message.at("error"));
        }
        if (message.at("image").isPresent()) {
          return message.at("image");
        }
        showProgress(session, message);
      }
      throw new IOException("the response ended without a result");
    } catch (IOException e) {
      throw ConnectionErrors.of(api.base(), e);
    } finally {
      session.terminal().clearStatus();
    }
  }

  private static void showProgress(Session session, Json progress) {
    if (session.terminal().properties().errIsTerminal()) {
      session
          .terminal()
          .status(
              session
                  .localizer()
                  .text(
                      "cli.image.progress",
                      "percent",
                      progress.number("percent"),
                      "done",
                      Localizer.bytes(progress.number("done")),
                      "total",
                      Localizer.bytes(progress.number("total"))));
    }
  }
}
