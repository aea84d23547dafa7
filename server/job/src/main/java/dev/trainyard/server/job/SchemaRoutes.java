package dev.trainyard.server.job;

import dev.trainyard.jobfile.JobFileSchema;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.JobFormat;
import dev.trainyard.model.Message;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * {@code /api/v3/schemas}: the schemas of job files. The endpoints are public, because they are for
 * editors, which cannot sign in, and because the schemas are the same on every server.
 */
public final class SchemaRoutes {
  public void addTo(Routes routes) {
    routes.add("GET", "/api/v3/schemas", Access.PUBLIC, _ -> list());
    routes.add("GET", "/api/v3/schemas/:format", Access.PUBLIC, SchemaRoutes::show);
  }

  private static Object list() {
    List<String> formats = Arrays.stream(JobFormat.values()).map(JobFormat::label).toList();
    return Map.of("formats", formats);
  }

  private static Object show(Request request) {
    String label = request.path("format");
    JobFormat format =
        Arrays.stream(JobFormat.values())
            .filter(known -> known.label().equals(label))
            .findFirst()
            .orElseThrow(
                () ->
                    new AppException(
                        ErrorCode.NOT_FOUND, Message.of("error.no-such-format", "format", label)));
    return Reply.of(200, JobFileSchema.of(format))
        .with("Content-Type", "application/schema+json; charset=utf-8");
  }
}
