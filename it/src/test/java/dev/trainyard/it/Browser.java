package dev.trainyard.it;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A minimal browser for sign-ins: follows redirects, stores cookies and submits forms. Replaces one
 * URL prefix with another, so that tests can use a host name that does not exist.
 */
final class Browser implements AutoCloseable {
  private static final int MAX_REDIRECTS = 20;
  private static final Pattern FORM = Pattern.compile("<form[^>]*action=\"([^\"]+)\"");

  private final String name;
  private final String address;
  private final CookieJar cookies = new CookieJar();
  private final HttpClient http = HttpClient.newHttpClient();

  /**
   * Creates a browser without cookies.
   *
   * @param name URL prefix to replace
   * @param address URL prefix to use instead
   */
  Browser(String name, String address) {
    this.name = name;
    this.address = address;
  }

  /** Opens a page and returns the response after all redirects. */
  HttpResponse<String> open(String page) throws Exception {
    return follow(HttpRequest.newBuilder(withReplacedPrefix(page)).GET(), Optional.empty());
  }

  /**
   * Signs in with the two forms of a provider, one for the login and one for the consent. Returns
   * the last response.
   *
   * @param stop URL prefix at which to stop; a redirect to such a URL is returned instead of
   *     followed
   */
  HttpResponse<String> signIn(String page, String login, Optional<String> stop) throws Exception {
    HttpResponse<String> shown =
        follow(HttpRequest.newBuilder(withReplacedPrefix(page)).GET(), stop);
    for (Matcher form = FORM.matcher(shown.body());
        shown.statusCode() == 200 && form.find();
        form = FORM.matcher(shown.body())) {
      boolean asksForLogin = shown.body().contains("name=\"login\"");
      Map<String, String> fields =
          asksForLogin
              ? Map.of("prompt", "login", "login", login, "password", "any")
              : Map.of("prompt", "consent");
      shown =
          follow(
              HttpRequest.newBuilder(shown.uri().resolve(form.group(1)))
                  .header("Content-Type", "application/x-www-form-urlencoded")
                  .POST(HttpRequest.BodyPublishers.ofString(form(fields))),
              stop);
    }
    return shown;
  }

  private HttpResponse<String> follow(HttpRequest.Builder first, Optional<String> stop)
      throws Exception {
    HttpRequest.Builder next = first;
    for (int i = 0; i < MAX_REDIRECTS; i++) {
      URI requestedUri = next.build().uri();
      cookies.of(requestedUri).ifPresent(with(next));
      HttpRequest request = next.timeout(Duration.ofSeconds(60)).build();
      var response = http.send(request, HttpResponse.BodyHandlers.ofString());
      cookies.keep(requestedUri, response.headers().allValues("set-cookie"));
      Optional<String> location = response.headers().firstValue("location");
      boolean redirect = response.statusCode() / 100 == 3 && location.isPresent();
      if (!redirect || (stop.isPresent() && location.get().startsWith(stop.get()))) {
        return response;
      }
      String there = response.uri().resolve(URI.create(location.get())).toString();
      next = HttpRequest.newBuilder(withReplacedPrefix(there)).GET();
    }
    throw new AssertionError("too many redirects");
  }

  private static Consumer<String> with(HttpRequest.Builder request) {
    return cookie -> request.setHeader("Cookie", cookie);
  }

  /** Returns the value of a stored cookie. */
  Optional<String> cookie(String wanted) {
    return cookies.value(wanted);
  }

  private URI withReplacedPrefix(String page) {
    return URI.create(page.startsWith(name) ? address + page.substring(name.length()) : page);
  }

  private static String form(Map<String, String> fields) {
    return fields.entrySet().stream()
        .map(field -> field.getKey() + "=" + encoded(field.getValue()))
        .collect(Collectors.joining("&"));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    http.close();
  }
}
