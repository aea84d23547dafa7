package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pushes built and committed images to a registry with authentication. */
class ImagePushIT extends NeedsDocker {
  private static final String BASE = "trainyard-test/busybox";
  private static final String SECRET = "value-of-the-secret-4711";

  @TempDir Path directory;

  private Path context(String dockerfile) throws Exception {
    Path context = Files.createDirectories(directory.resolve("context"));
    Files.writeString(context.resolve("Dockerfile"), dockerfile);
    return context;
  }

  private static String job(String image) {
    return """
    protocolVersion: 2
    name: maker
    type: job
    prerequisites:
      - {type: dockerimage, name: image, uri: '%s'}
    secrets: {token: '%s'}
    taskRoles:
      main:
        dockerImage: image
        resourcePerInstance: {cpu: 1, memoryMB: 128, gpu: 0, ports: {web: 1}}
        commands:
          - test '<%% $secrets.token %%>' = '%s'
          - env | grep -c TRAINYARD_TOKEN
          - echo installed >/software
          - echo ready; sleep 300
    """
        .formatted(image, SECRET, SECRET);
  }

  @Test
  void buildAndCommit_pushedWithLogin_revealNothingOfTheJob() throws Exception {
    try (LocalRegistry registry = LocalRegistry.start(directory.resolve("registry"));
        Trainyard trainyard = start(directory.resolve("data"))) {
      String built = registry.host() + "/team/built:1";
      String made = registry.host() + "/team/made:1";
      try {
        Path context = context("FROM " + BASE + "\nRUN echo hello >/built\nENV OWN=kept\n");
        String[] build = {"image", "build", context.toString(), "-t", built, "--push"};
        Trainyard.Result rejected = trainyard.run(build);
        assertThat(rejected.exitCode()).as("%s", rejected).isNotZero();
        assertThat(rejected.out() + rejected.err()).contains("trainyard registry login");
        assertThat(registry.get("/v2/team/built/tags/list")).doesNotContain("\"1\"");

        Map<String, String> here = Map.of("TRAINYARD_DATA", trainyard.data().toString());
        Trainyard.Result login =
            Trainyard.command(
                here,
                LocalRegistry.PASSWORD + "\n",
                "registry",
                "login",
                registry.host(),
                "-u",
                LocalRegistry.USER,
                "--password-stdin");
        assertThat(login.exitCode()).as("%s", login).isZero();
        Trainyard.Result pushed = trainyard.run(build);
        assertThat(pushed.exitCode()).as("%s", pushed).isZero();
        assertThat(registry.get("/v2/team/built/tags/list")).contains("\"1\"");

        String id = trainyard.submit(job(built)).get("id").asText();
        trainyard.await(id, "RUNNING");
        String container = container(id);
        awaitReady(trainyard, id);
        Trainyard.Result committed = trainyard.run("commit", id, made, "--push");
        assertThat(committed.exitCode()).as("%s", committed).isZero();
        assertThat(registry.get("/v2/team/made/tags/list")).contains("\"1\"");
        assertThat(docker("inspect", "-f", "{{.State.Running}}", container)).isEqualTo("true");

        String settings = docker("image", "inspect", made);
        assertThat(settings).contains("OWN=kept").doesNotContain(SECRET, "PAI_", "TRAINYARD_");
        assertThat(docker("run", "--rm", made, "cat", "/built", "/software"))
            .isEqualTo("hello\ninstalled");
        trainyard.run("stop", id);
        trainyard.await(id, "STOPPED");
      } finally {
        tryDocker("rmi", built, made);
      }
    }
  }

  private static void awaitReady(Trainyard trainyard, String job) throws Exception {
    while (!trainyard.log(job, "stdout").contains("ready")) {
      trainyard.await(job, "RUNNING"); // await fails if the job has finished
    }
  }

  private static Trainyard start(Path data) throws Exception {
    return Trainyard.start(data, "--engine", "docker", "--capacity", "cpu=4,memoryMB=8192");
  }

  @Test
  void build_noSpaceForTheContext_isRejectedAndLeavesNothing() throws Exception {
    Path data = Files.createDirectory(directory.resolve("data"));
    try (var _ = SmallDisk.mount(data, "96m");
        Trainyard trainyard = start(data)) {
      Path context = context("FROM " + BASE + "\nCOPY big /big\n");
      try (RandomAccessFile big = new RandomAccessFile(context.resolve("big").toString(), "rw")) {
        big.setLength(200 << 20);
      }
      Trainyard.Result full =
          trainyard.run("image", "build", context.toString(), "-t", "trainyard-test-built/full:1");
      assertThat(full.exitCode()).as("%s", full).isNotZero();
      assertThat(full.err()).contains("disk").contains("full");
      try (var left = Files.walk(data)) {
        assertThat(left.filter(path -> path.endsWith("big"))).isEmpty();
      }
      assertThat(tryDocker("image", "inspect", "trainyard-test-built/full:1")).isNull();
    }
  }
}
