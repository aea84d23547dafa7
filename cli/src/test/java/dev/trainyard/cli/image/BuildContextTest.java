package dev.trainyard.cli.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildContextTest {
  @TempDir Path directory;

  private void file(String name, String text) throws IOException {
    Path path = directory.resolve(name);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  /** Returns the entries that the tar program lists. */
  private List<String> listEntries(BuildContext buildContext)
      throws IOException, InterruptedException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    buildContext.writeTo(out, (_, _) -> {});
    Path archive = Files.createTempFile("context", ".tar.gz");
    try {
      Files.write(archive, out.toByteArray());
      Process tar =
          new ProcessBuilder("tar", "-tzf", archive.toString()).redirectErrorStream(true).start();
      String output = new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(tar.waitFor()).as(output).isZero();
      return output.lines().sorted().toList();
    } finally {
      Files.delete(archive);
    }
  }

  @Test
  void writeTo_excludesIgnoredFiles() throws Exception {
    file("Dockerfile", "FROM x\n");
    file(".dockerignore", "# no\n*.log\n**/*.tmp\nsecret\n!secret/public.txt\nDockerfile\n");
    file("main.py", "x".repeat(1000));
    file("a.log", "");
    file("lib/b.log", "");
    file("lib/c.tmp", "");
    file("secret/key", "");
    file("secret/public.txt", "");
    String deep = "d".repeat(90) + "/" + "e".repeat(90) + ".txt";
    file(deep, "deep");
    Files.createSymbolicLink(directory.resolve("link"), Path.of("main.py"));

    assertThat(listEntries(BuildContext.of(directory, "Dockerfile")))
        .containsExactlyInAnyOrder(
            ".dockerignore",
            "Dockerfile",
            "main.py",
            "lib/",
            "lib/b.log",
            "secret/public.txt",
            "d".repeat(90) + "/",
            deep,
            "link");
  }
}
