package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.trainyard.engine.testkit.Requirement;
import java.io.BufferedReader;
import java.net.CookieManager;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** People sign in by a real OpenID Connect provider, as a browser does it. */
class OidcIT {
  private static final Pattern FORM = Pattern.compile("action=\"([^\"]+)\"");
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path directory;

  // To be finished next: start the provider by NpmPackage, the server with --oidc-* settings.
}
