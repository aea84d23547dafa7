package dev.trainyard.server.page;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Serves the web application: its files at {@code /assets}, and at every path without another route
 * the single page that loads these files. The application in the browser selects the view for a
 * path.
 */
public final class PageRoutes {
  /** Directory in which the module {@code web} puts its files; {@code files.txt} lists them. */
  private static final String RESOURCE_DIRECTORY = "/dev/trainyard/web/";

  /** Policy for the page; docs/rationale.md explains why it allows inline styles. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline';"
          + " img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self';"
          + " worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

  /**
   * Policy for assets. Browsers apply the policy of a worker's file to the worker itself, and the
   * worker that follows events must be able to connect to the server.
   */
  private static final String ASSET_POLICY = "default-src 'none'; connect-src 'self'";

  /**
   * Paths that do not return the page even if a browser requests them: a path below them without a
   * route is an error of a program.
   */
  private static final Pattern API_PATHS =
      Pattern.compile("/(?:api|rest-server|docs|metrics|healthz|livez|assets)(?:[/?].*)?");

  private final Map<String, PageFile> files = new HashMap<>();
  private final PageFile page;

  public PageRoutes() {
    readList();
    page = files.remove("index.html");
  }

  private void readList() {
    try (InputStream in = PageRoutes.class.getResourceAsStream(RESOURCE_DIRECTORY + "files.txt")) {
      if (in == null) {
        throw new IllegalStateException(
            "not found in the jar: " + RESOURCE_DIRECTORY + "files.txt");
      }
      var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).lines();
      lines.map(line -> line.split("\t", -1)).forEach(parts -> add(parts[0], parts[1]));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Adds a file. The name of an asset changes with its content, so clients cache assets without
   * revalidation. Clients revalidate the page each time.
   */
  private void add(String name, String type) {
    String caching = name.equals("index.html") ? "no-cache" : "public, max-age=31536000, immutable";
    files.put(name, new PageFile(RESOURCE_DIRECTORY + name, type, caching));
  }

  public void addTo(Routes routes) {
    routes.add("GET", "/", Access.PUBLIC, this::page);
    routes.add("GET", "/assets/:file", Access.PUBLIC, this::asset);
    routes.addDefault(this::pageOrNotFound);
  }

  private Reply asset(Request request) {
    PageFile file = files.get("assets/" + request.path("file"));
    if (file == null) {
      throw notFound();
    }
    return file.reply(request).with("Content-Security-Policy", ASSET_POLICY);
  }

  private Reply page(Request request) {
    return page.reply(request).with("Content-Security-Policy", POLICY);
  }

  private Reply pageOrNotFound(Request request) {
    boolean browser = request.header("Accept").orElse("").contains("text/html");
    if (!browser || API_PATHS.matcher(request.uri()).matches()) {
      throw notFound();
    }
    return page(request).with("Vary", "Accept, Accept-Encoding");
  }

  private static AppException notFound() {
    return new AppException(ErrorCode.NOT_FOUND, Message.of("error.no-such-page"));
  }
}
