import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * Builds or checks the web page with the Node.js of this host if its sources have changed. Usage:
 * {@code java WebPage.java bundle|check WEB_DIRECTORY}.
 *
 * <p>Without Node.js, the jar contains a page that explains that Node.js is missing, so that users can
 * try the command line without installing Node.js. With {@code TRAINYARD_REQUIRE=node} the build fails
 * instead.
 */
public final class WebPage {
  private static final int MIN_NODE_VERSION = 20;

  /** Sources of the generated types of the API. */
  private static final String API_DESCRIPTION =
      "../server/app/src/main/resources/dev/trainyard/server/openapi/v3";

  private final Path web;
  private final Path target;

  private WebPage(Path web) {
    this.web = web;
    this.target = web.resolve("target");
  }

  public static void main(String[] arguments) throws Exception {
    WebPage page = new WebPage(Path.of(arguments[1]).toAbsolutePath().normalize());
    Files.createDirectories(page.target);
    if (!isNodeInstalled()) {
      page.skipWithoutNode(arguments[0]);
    } else if (arguments[0].equals("bundle")) {
      page.runUnlessUpToDate("bundle", () -> run(page.web, "node", "build/bundle.mjs"));
    } else {
      page.runUnlessUpToDate("check", page::check);
    }
  }

  private void check() throws Exception {
    install(web.resolve("lint"));
    run(web, "node", "build/check.mjs");
  }

  private static boolean isNodeInstalled() throws Exception {
    String version = commandOutput("node", "--version");
    if (!version.matches("v\\d+\\..*") || commandOutput("npm", "--version").isEmpty()) {
      return false;
    }
    return Integer.parseInt(version.substring(1, version.indexOf('.'))) >= MIN_NODE_VERSION;
  }

  private void skipWithoutNode(String step) throws IOException {
    String requirements = System.getenv().getOrDefault("TRAINYARD_REQUIRE", "");
    if (List.of(requirements.split(",")).contains("node")) {
      System.err.println("[ERROR] Node.js " + MIN_NODE_VERSION + " with npm is required and missing.");
      System.exit(1);
    }
    if (step.equals("bundle")) {
      System.out.println(
          "[WARNING] Node.js "
              + MIN_NODE_VERSION
              + " with npm is missing: this build will have no web page.");
      Path output = target.resolve("classes/dev/trainyard/web");
      Files.createDirectories(output);
      Files.copy(
          web.resolve("build/no-node.html"),
          output.resolve("index.html"),
          StandardCopyOption.REPLACE_EXISTING);
      Files.writeString(output.resolve("files.txt"), "index.html\ttext/html; charset=utf-8\n");
      Files.deleteIfExists(target.resolve("bundle.done"));
    }
  }

  private interface Step {
    void run() throws Exception;
  }

  /** Runs a step unless its mark file contains the digest of the current sources. */
  private void runUnlessUpToDate(String step, Step action) throws Exception {
    Path markFile = target.resolve(step + ".done");
    String sourcesDigest = digest(sources(step));
    boolean bundled = Files.exists(target.resolve("classes/dev/trainyard/web/files.txt"));
    if (bundled && Files.exists(markFile) && Files.readString(markFile).equals(sourcesDigest)) {
      return;
    }
    Files.deleteIfExists(markFile);
    install(web);
    action.run();
    Files.writeString(markFile, sourcesDigest);
  }

  /**
   * Installs the npm dependencies of a package if its lock file has changed since the last
   * installation.
   */
  private void install(Path directory) throws Exception {
    Path markFile = directory.resolve("node_modules/.installed-by");
    String lockDigest = digest(List.of(directory.resolve("package-lock.json")));
    if (!Files.exists(markFile) || !Files.readString(markFile).equals(lockDigest)) {
      run(directory, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");
      Files.writeString(markFile, lockDigest);
    }
  }

  private List<Path> sources(String step) throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String name : List.of("index.html", "package-lock.json", "tsconfig.json")) {
      sources.add(web.resolve(name));
    }
    sources.add(
        web.resolve("../core/model/src/main/resources/dev/trainyard/model/messages_zh.properties"));
    List<String> directories = new ArrayList<>(List.of("build", "src"));
    if (step.equals("check")) {
      directories.add("test");
      sources.add(web.resolve("lint/package-lock.json"));
      sources.add(web.resolve("lint/eslint.config.mjs"));
      directories.add(API_DESCRIPTION);
    }
    for (String name : directories) {
      try (Stream<Path> files = Files.walk(web.resolve(name))) {
        files.filter(Files::isRegularFile).sorted().forEach(sources::add);
      }
    }
    return sources;
  }

  private String digest(List<Path> files) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    for (Path file : files) {
      digest.update(web.relativize(file).toString().getBytes(StandardCharsets.UTF_8));
      digest.update((byte) 0);
      digest.update(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static void run(Path directory, String... command) throws Exception {
    Process process = new ProcessBuilder(command).directory(directory.toFile()).inheritIO().start();
    if (process.waitFor() != 0) {
      System.err.println("[ERROR] " + String.join(" ", command) + " failed in " + directory);
      System.exit(1);
    }
  }

  /** Returns the output of a command; empty if the command is missing or fails. */
  private static String commandOutput(String... command) throws Exception {
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0 ? output.strip() : "";
    } catch (IOException e) {
      return "";
    }
  }
}
