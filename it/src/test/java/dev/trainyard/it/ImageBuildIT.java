package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Builds images as jobs, and runs jobs with capabilities that administrators grant. */
class ImageBuildIT extends NeedsDocker {
  private static final String BASE = "trainyard-test/busybox";
  private static final String NAME = "trainyard-test-built/hello:1";

  @TempDir Path directory;

  @AfterEach
  void removeImages() throws Exception {
    removeLeftovers(directory.resolve("data"));
    tryDocker("rmi", NAME);
  }

  private Trainyard start() throws Exception {
    return Trainyard.start(
        directory.resolve("data"), "--engine", "docker", "--capacity", "cpu=4,memoryMB=8192");
  }

  private Path context(String dockerfile) throws Exception {
    Path context = Files.createDirectories(directory.resolve("context"));
    Files.writeString(context.resolve("Dockerfile"), dockerfile);
    return context;
  }

  private static Trainyard.Result build(Trainyard trainyard, Path context, String... extraArguments)
      throws Exception {
    List<String> words =
        Stream.concat(
                Stream.of("image", "build", context.toString(), "-t", NAME),
                Stream.of(extraArguments))
            .toList();
    return trainyard.run(words.toArray(String[]::new));
  }

  private static String v1(String name, String image, String extras, String command) {
    return """
    {"jobName": "%s", "image": "%s", %s "taskRoles": [
     {"name": "main", "taskNumber": 1, "cpuNumber": 1, "memoryMB": 256, "command": "%s"}]}
    """
        .formatted(name, image, extras, command);
  }

  @Test
  void build_example_runsInAJob() throws Exception {
    try (Trainyard trainyard = start()) {
      Path example = Trainyard.CHECKOUT.resolve("examples/image");
      Trainyard.Result built =
          build(trainyard, example, "--build-arg", "BASE=" + BASE, "--build-arg", "GREETING=moin");
      assertThat(built.exitCode()).as(built.out() + built.err()).isZero();
      assertThat(built.out()).contains("Step 1/10 : ARG BASE=busybox", "Step 10/10 : CMD");
      assertThat(built.err()).contains("Built " + NAME);

      assertThat(docker("inspect", "-f", "{{.Config.WorkingDir}} {{.Config.Cmd}}", NAME))
          .isEqualTo("/opt/app [/opt/app/greet.sh]");
      assertThat(docker("inspect", "-f", "{{.Config.Env}}", NAME))
          .contains("GREETING=moin", "MODEL_DIR=/opt/model", "PATH=/bin")
          .doesNotContain("PAI_", "BASE=");
      assertThat(docker("run", "--rm", NAME)).isEqualTo("moin from /opt/app, with a small model");
      assertThat(docker("run", "--rm", NAME, "stat", "-c", "%u:%g", "/opt/model/name.txt"))
          .isEqualTo("1000:1000");
      assertThat(docker("run", "--rm", NAME, "stat", "-c", "%u:%g %a", "/opt/app/greet.sh"))
          .isEqualTo("0:0 755");

      String job = trainyard.submit(v1("use", NAME, "", "cat built.txt")).get("id").asText();
      trainyard.await(job, "SUCCEEDED");
      assertThat(trainyard.log(job, "stdout"))
          .isEqualTo("moin from /opt/app, with a small model\n");
    }
  }

  @Test
  void build_fails_leavesNoImage() throws Exception {
    try (Trainyard trainyard = start()) {
      Path context = context("FROM " + BASE + "\nRUN echo begun; exit 7\nRUN echo never\n");
      Trainyard.Result failed = build(trainyard, context);
      assertThat(failed.exitCode()).isEqualTo(7);
      assertThat(failed.out()).contains("begun").doesNotContain("never");
      assertThat(failed.err()).contains("returned a non-zero code: 7");
      assertThat(tryDocker("image", "inspect", NAME)).isNull();

      Trainyard.Result wrong = build(trainyard, context("FROM a\nRUM x\nCOPY --from=b c d\n"));
      assertThat(wrong.exitCode()).isEqualTo(1);
      assertThat(wrong.err())
          .contains("Dockerfile:2:1: unknown Dockerfile instruction RUM", "Dockerfile:3:1: ");
      Trainyard.Result missing = build(trainyard, context("FROM " + BASE + "\nCOPY nothing /x\n"));
      assertThat(missing.err()).contains("Dockerfile:2:1: file nothing not found");
    }
  }

  @Test
  void build_serverKilled_finishesAfterRestart() throws Exception {
    String text =
        "FROM "
            + BASE
            + "\n"
            + "RUN adduser -D -h /home/u u 2>/dev/null || echo 'u:x:7:7::/:/bin/sh' >>/etc/passwd\n"
            + "RUN echo waiting; while [ ! -e /tmp/go ]; do sleep 0.1; done; rm /tmp/go\n"
            + "USER u\n"
            + "RUN id -u >/tmp/who\n";
    Path context = context(text);
    String job;
    String container;
    try (Trainyard trainyard = start()) {
      JsonNode accepted = build(trainyard, context, "--json").json();
      job = accepted.get("id").asText();
      trainyard.await(job, "RUNNING");
      container = container(job);
      trainyard.kill();
    }
    docker("exec", container, "touch", "/tmp/go");
    docker("wait", container);
    assertThat(tryDocker("image", "inspect", NAME)).isNull();
    try (Trainyard trainyard = start()) {
      JsonNode over = trainyard.await(job, "SUCCEEDED", "FAILED", "STOPPED");
      assertThat(over.get("state").asText()).as(over.toString()).isEqualTo("SUCCEEDED");
      assertThat(docker("run", "--rm", NAME, "cat", "/tmp/who")).isNotEqualTo("0");
      assertThat(docker("inspect", "-f", "{{.Config.User}}", NAME)).isEqualTo("u");
    }
  }

  @Test
  void capabilities_mount_requiresGrant() throws Exception {
    String capabilities = "\"extras\": {\"trainyard\": {\"capabilities\": [\"SYS_ADMIN\"]}},";
    String mount = "mkdir /there && mount -t tmpfs none /there && touch /there/file";
    try (Trainyard trainyard = start()) {
      var rejected =
          trainyard.request("POST", "/api/v3/jobs", v1("refused", BASE, capabilities, mount));
      assertThat(rejected.statusCode()).isEqualTo(403);
      assertThat(rejected.body()).contains("error.capability-not-granted");
      String plain = trainyard.submit(v1("plain", BASE, "", mount)).get("id").asText();
      trainyard.await(plain, "FAILED");
      assertThat(trainyard.run("capabilities", "grant", "--user", "admin", "SYS_ADMIN").exitCode())
          .isZero();
      String granted =
          trainyard.submit(v1("granted", BASE, capabilities, mount)).get("id").asText();
      trainyard.await(granted, "SUCCEEDED");
      assertThat(trainyard.run("capabilities", "revoke", "--user", "admin", "SYS_ADMIN").exitCode())
          .isZero();
      assertThat(
              trainyard
                  .request("POST", "/api/v3/jobs", v1("again", BASE, capabilities, mount))
                  .statusCode())
          .isEqualTo(403);
    }
  }
}
