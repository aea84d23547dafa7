package dev.trainyard.server.openapi;

import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Routes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/**
 * {@code /docs/api}: a page on which users read the API documents and try operations with their own
 * session. All its resources come from this server.
 */
final class ApiPageRoutes {
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private static final String PAGE = "/docs/api";

  void addTo(Routes routes) {
    String library = "/META-INF/resources/webjars/swagger-ui/" + version() + "/";
    add(routes, PAGE, "text/html; charset=utf-8", "page/index.html");
    add(routes, PAGE + "/page.css", "text/css; charset=utf-8", "page/page.css");
    add(routes, PAGE + "/page.js", "text/javascript; charset=utf-8", "page/page.js");
    add(routes, PAGE + "/library.css", "text/css; charset=utf-8", library + "swagger-ui.css");
    add(
        routes,
        PAGE + "/library.js",
        "text/javascript; charset=utf-8",
        library + "swagger-ui-bundle.js");
  }

  private static void add(Routes routes, String address, String type, String resource) {
    CachedResource cached = new CachedResource(type, () -> bytes(resource));
    routes.add(
        "GET",
        address,
        Access.PUBLIC,
        request -> cached.reply(request).with("Content-Security-Policy", POLICY));
  }

  private static byte[] bytes(String resource) {
    try (InputStream in = ApiPageRoutes.class.getResourceAsStream(resource)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the version of the library, which is part of the path in its jar. */
  private static String version() {
    Properties properties = new Properties();
    try (InputStream in = ApiPageRoutes.class.getResourceAsStream("page.properties")) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("swagger-ui");
  }
}
