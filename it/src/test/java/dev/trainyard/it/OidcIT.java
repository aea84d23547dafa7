package dev.trainyard.it;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;

/** People sign in by a real OpenID Connect provider, as a browser does it. */
class OidcIT {
  private static final Pattern FORM = Pattern.compile("action=\"([^\"]+)\"");
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path directory;

  // To be finished next: start the provider by NpmPackage, the server with --oidc-* settings.
}
