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
 * Builds or checks the web page with the machine's Node.js, if anything it is made of has changed:
 * {@code java WebPage.java bundle|check WEB_DIRECTORY}.
 *
 * <p>Without Node.js the jar gets a page that says so, because whoever only wants to try the
 * command line should not have to install it first; {@code TRAINYARD_REQUIRE=node} makes that a
 * failure.
 */
public final class WebPage {
  private static final int OLDEST_NODE = 20;

  private final Path web;
  private final Path target;

  private WebPage(Path web) {
    this.web = web;
    this.target = web.resolve("target");
  }

  public static void main(String[] arguments) throws Exception {
    WebPage page = new WebPage(Path.of(arguments[1]).toAbsolutePath().normalize());
    Files.createDirectories(page.target);
    if (!nodeIsThere()) {
      page.doWithout(arguments[0]);
    } else if (arguments[0].equals("bundle")) {
      page.unlessDone("bundle", () -> run(page.web, "node", "build/bundle.mjs"));
    } else {
      page.unlessDone("check", page::check);
    }
  }

  private void check() throws Exception {
    run(web, "node", "node_modules/typescript/bin/tsc", "--noEmit");
    run(web, "node", "build/lint-texts.mjs");
  }

  private static boolean nodeIsThere() throws Exception {
    String version = output("node", "--version");
    if (!version.matches("v\\d+\\..*") || output("npm", "--version").isEmpty()) {
      return false;
    }
    return Integer.parseInt(version.substring(1, version.indexOf('.'))) >= OLDEST_NODE;
  }

  private void doWithout(String step) throws IOException {
    String required = System.getenv().getOrDefault("TRAINYARD_REQUIRE", "");
    if (List.of(required.split(",")).contains("node")) {
      System.err.println("[ERROR] Node.js " + OLDEST_NODE + " with npm is required and missing.");
      System.exit(1);
    }
    if (step.equals("bundle")) {
      System.out.println(
          "[WARNING] Node.js "
              + OLDEST_NODE
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

  /** The mark is what the step was done for; without it, or with another, it is done. */
  private void unlessDone(String step, Step work) throws Exception {
    Path mark = target.resolve(step + ".done");
    String sources = digest(sources());
    boolean packed = Files.exists(target.resolve("classes/dev/trainyard/web/files.txt"));
    if (packed && Files.exists(mark) && Files.readString(mark).equals(sources)) {
      return;
    }
    Files.deleteIfExists(mark);
    install();
    work.run();
    Files.writeString(mark, sources);
  }

  /** Dependencies, when the lock file is not the one that they were installed by. */
  private void install() throws Exception {
    Path mark = web.resolve("node_modules/.installed-by");
    String lock = digest(List.of(web.resolve("package-lock.json")));
    if (!Files.exists(mark) || !Files.readString(mark).equals(lock)) {
      run(web, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");
      Files.writeString(mark, lock);
    }
  }

  private List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String name : List.of("index.html", "package-lock.json", "tsconfig.json")) {
      sources.add(web.resolve(name));
    }
    sources.add(
        web.resolve("../core/model/src/main/resources/dev/trainyard/model/messages_zh.properties"));
    for (String name : List.of("build", "src")) {
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

  /** What a command prints; empty if there is none such. */
  private static String output(String... command) throws Exception {
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0 ? text.strip() : "";
    } catch (IOException e) {
      return "";
    }
  }
}
