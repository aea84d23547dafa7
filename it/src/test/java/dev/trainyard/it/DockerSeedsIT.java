package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.engine.testkit.Requirement;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs unmodified job files of OpenPAI and LeinaoPAI users in containers. */
class DockerSeedsIT extends NeedsDocker {
  /** First user ID for users of the platform, far above the IDs of host accounts. */
  private static final int FIRST_ID = 0x70000000;

  @TempDir Path directory;

  @Test
  void submit_unmodifiedFiles_allSucceed() throws Exception {
    Requirement.require(
        "docker",
        tryDocker("run", "--rm", "--gpus", "device=0", "trainyard-test/busybox", "true") != null,
        "the Docker engine supports no NVIDIA devices; it/docker/engine starts one that does");
    String image = seedsImage();
    tagImage("openpai/pai.example.tensorflow", image);
    tagImage("openpai/pai.example.pytorch", image);
    tagImage("10.11.3.8:5000/pai-images/deepo:v2.0", image);
    tagImage("ubuntu:16.04", image);
    try (Trainyard trainyard =
        Trainyard.start(
            directory.resolve("data"),
            "--engine",
            "docker",
            "--capacity",
            "cpu=32,memoryMB=262144,gpu=8")) {
      String hello = submit(trainyard, resource("hello-gpu-cluster.json"));
      String cifar = submit(trainyard, example("cifar10.json"));
      String mnist = submit(trainyard, example("mnist.json"));
      String imagenet = submit(trainyard, resource("pytorch-imagenet-4gpu.json"));

      JsonNode trained = awaitSuccess(trainyard, cifar);
      assertThat(trained.at("/tasks/0/engine").asText()).isEqualTo("docker");
      assertThat(trainyard.log(cifar, "stdout")).contains("converted cifar10", "accuracy ");
      Path files = trainyard.data().resolve("jobs").resolve(cifar);
      assertThat(files.resolve("output/model.ckpt-100")).isNotEmptyFile();

      awaitSuccess(trainyard, mnist);
      assertThat(trainyard.log(mnist, "stdout")).contains("Train Epoch: 19");

      awaitSuccess(trainyard, imagenet);
      assertThat(trainyard.log(imagenet, "stdout")).contains("gpus 4 visible 0,1,2,3 shm MB 8192");
      Path home = trainyard.data().resolve("home/admin");
      assertThat(home.resolve("checkpoints/model_best.pth.tar")).isNotEmptyFile();

      awaitSuccess(trainyard, hello);
      assertThat(trainyard.log(hello, "stdout")).isEqualTo("finished\n");
      Path out = home.resolve("output/out.txt");
      assertThat(out).isNotEmptyFile();
      int owner = (Integer) Files.getAttribute(out, "unix:uid");
      if (NeedsSandbox.ROOT) {
        assertThat(owner).isGreaterThanOrEqualTo(FIRST_ID);
      } else {
        assertThat(owner).isEqualTo(Files.getAttribute(trainyard.data(), "unix:uid"));
      }
    }
  }

  private static JsonNode awaitSuccess(Trainyard trainyard, String job) throws Exception {
    JsonNode over = trainyard.await(job, "SUCCEEDED", "FAILED", "STOPPED");
    assertThat(over.get("state").asText())
        .as("%s%n%s", over, trainyard.log(job, "stderr"))
        .isEqualTo("SUCCEEDED");
    return over;
  }

  private static String submit(Trainyard trainyard, String file) throws Exception {
    return trainyard.submit(file).get("id").asText();
  }

  private static String example(String name) throws Exception {
    return Files.readString(Trainyard.CHECKOUT.resolve("examples").resolve(name));
  }

  private static String resource(String name) throws Exception {
    try (var in = Objects.requireNonNull(DockerSeedsIT.class.getResourceAsStream(name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
