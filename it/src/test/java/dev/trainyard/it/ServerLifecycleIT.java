package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts, stops, kills and restarts the server. */
class ServerLifecycleIT extends NeedsSandbox {
  @TempDir Path directory;

  @Test
  void up_twiceOnOneDataDirectory_secondReportsTheFirst() throws Exception {
    try (Trainyard first = Trainyard.start(directory.resolve("data"))) {
      assertThatThrownBy(() -> Trainyard.start(directory.resolve("data")))
          .isInstanceOf(Trainyard.StartFailed.class)
          .hasMessageContaining(first.url())
          .hasMessageContaining(String.valueOf(first.process().pid()));
      assertThat(first.request("GET", "/healthz", "", "").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void up_firstTime_administratorPasswordIsPrivate() throws Exception {
    try (Trainyard trainyard = Trainyard.start(directory.resolve("data"))) {
      Path password = trainyard.data().resolve("admin-password");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(password)))
          .isEqualTo("rw-------");
      String body =
          Trainyard.JSON
              .createObjectNode()
              .put("user", "admin")
              .put("password", Files.readString(password).strip())
              .toString();
      assertThat(trainyard.request("POST", "/api/v3/sessions", body, "").statusCode())
          .isEqualTo(201);
    }
  }

  @Test
  void up_passwordFromEnvironment_isUsedAndNotWritten() throws Exception {
    var environment = Map.of("TRAINYARD_ADMIN_PASSWORD", "correct horse");
    try (Trainyard trainyard = Trainyard.start(directory.resolve("data"), environment)) {
      assertThat(trainyard.data().resolve("admin-password")).doesNotExist();
      String body = "{\"user\":\"admin\",\"password\":\"correct horse\"}";
      assertThat(trainyard.request("POST", "/api/v3/sessions", body, "").statusCode())
          .isEqualTo(201);
      String id =
          trainyard.submit(Trainyard.job("env", "env; cat /proc/*/environ")).get("id").asText();
      trainyard.await(id, "SUCCEEDED", "FAILED");
      assertThat(trainyard.log(id, "stdout")).doesNotContain("correct horse");
    }
  }

  @Test
  void kill9_whileAJobRuns_jobIsAdoptedAndEndsOnce() throws Exception {
    Path data = directory.resolve("data");
    Trainyard first = Trainyard.start(data);
    String command =
        "echo begin; while [ ! -e /userhome/go ]; do sleep 0.1; done; echo once >> /userhome/count;"
            + " echo end; exit 3";
    String id = first.submit(Trainyard.job("survivor", command)).get("id").asText();
    first.await(id, "RUNNING");
    first.process().destroyForcibly().waitFor(30, TimeUnit.SECONDS);
    try (Trainyard second = Trainyard.start(data)) {
      second.await(id, "RUNNING");
      Files.createFile(data.resolve("home/admin/go"));
      JsonNode job = second.await(id, "FAILED");
      assertThat(job.get("exitCode").asInt()).isEqualTo(3);
      assertThat(data.resolve("home/admin/count")).hasContent("once");
      assertThat(second.log(id, "stdout")).isEqualTo("begin\nend\n");
    }
  }

  @Test
  void up_taskHoldsThePort_serverStarts() throws Exception {
    Path data = directory.resolve("data");
    Trainyard first = Trainyard.start(data);
    int port = URI.create(first.url()).getPort();
    String command =
        """
        exec perl -e '
        use Socket; $| = 1;
        socket(my $s, PF_INET, SOCK_STREAM, 0) or die;
        print "up\\n";
        until (bind($s, sockaddr_in(%d, inet_aton("127.0.0.1")))) { select(undef, undef, undef, 0.01) }
        listen($s, 5) or die;
        print "bound\\n"; sleep 600;'
        """
            .formatted(port);
    String id = first.submit(Trainyard.job("thief", command)).get("id").asText();
    first.await(id, "RUNNING");
    while (!first.log(id, "stdout").contains("up")) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
    first.process().destroyForcibly().waitFor(30, TimeUnit.SECONDS);
    awaitListener(port);
    try (Trainyard second = Trainyard.start(data, "--port", Integer.toString(port))) {
      assertThat(URI.create(second.url()).getPort()).isEqualTo(port);
      second.await(id, "FAILED");
      assertThat(second.run("show", "thief").out()).contains("port " + port);
    }
  }

  /** Waits until the task has bound the port. */
  private static void awaitListener(int port) throws InterruptedException {
    while (true) {
      try (Socket connection = new Socket(InetAddress.getLoopbackAddress(), port)) {
        assertThat(connection.isConnected()).isTrue();
        return;
      } catch (IOException e) {
        TimeUnit.MILLISECONDS.sleep(20);
      }
    }
  }

  @Test
  void stop_runningJob_recordsWhoStoppedIt() throws Exception {
    try (Trainyard trainyard = Trainyard.start(directory.resolve("data"))) {
      String command = "trap 'echo saved; exit 0' TERM; echo up; while :; do sleep 0.1; done";
      String id = trainyard.submit(Trainyard.job("long", command)).get("id").asText();
      trainyard.await(id, "RUNNING");
      while (trainyard.log(id, "stdout").isEmpty()) {
        TimeUnit.MILLISECONDS.sleep(20);
      }
      assertThat(trainyard.run("stop", "long").exitCode()).isZero();
      JsonNode job = trainyard.await(id, "STOPPED");
      assertThat(job.get("reason").asText()).contains("admin");
      assertThat(trainyard.log(id, "stdout")).isEqualTo("up\nsaved\n");
    }
  }

  @Test
  void metrics_afterARequest_includeIt() throws Exception {
    try (Trainyard trainyard = Trainyard.start(directory.resolve("data"))) {
      trainyard.request("GET", "/api/v3/jobs", "");
      assertThat(trainyard.request("GET", "/metrics", "").body())
          .contains("# TYPE")
          .contains("trainyard_");
    }
  }

  @Test
  void up_withTls_commandLineTrustsTheConfiguredCertificate() throws Exception {
    Path key = directory.resolve("key.pem");
    Path cert = directory.resolve("cert.pem");
    Process openssl =
        new ProcessBuilder(
                ("openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost"
                        + " -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout %s -out %s")
                    .formatted(key, cert)
                    .split(" "))
            .redirectErrorStream(true)
            .start();
    openssl.getInputStream().readAllBytes();
    assertThat(openssl.waitFor()).isZero();
    try (Trainyard trainyard =
        Trainyard.start(
            directory.resolve("data"),
            "--tls-cert",
            cert.toString(),
            "--tls-key",
            key.toString())) {
      assertThat(trainyard.url()).startsWith("https://");
      var local = trainyard.run("whoami");
      assertThat(local.exitCode()).as(local.toString()).isZero();
      assertThat(local.out()).contains("admin");
      Map<String, String> elsewhere =
          Map.of(
              "TRAINYARD_DATA", directory.resolve("none").toString(),
              "TRAINYARD_SERVER", trainyard.url(),
              "TRAINYARD_TOKEN", Files.readString(trainyard.data().resolve("local-token")).strip());
      assertThat(Trainyard.command(elsewhere, "", "whoami").exitCode()).isEqualTo(5);
      var trusting = Trainyard.command(elsewhere, "", "--ca-cert", cert.toString(), "whoami");
      assertThat(trusting.exitCode()).as(trusting.toString()).isZero();
      Map<String, String> home =
          Map.of(
              "XDG_CONFIG_HOME", directory.resolve("config").toString(),
              "TRAINYARD_DATA", directory.resolve("none").toString());
      String password = Files.readString(trainyard.data().resolve("admin-password"));
      var login =
          Trainyard.command(
              home,
              password,
              "login",
              trainyard.url(),
              "-u",
              "admin",
              "--password-stdin",
              "--ca-cert",
              cert.toString());
      assertThat(login.exitCode()).as(login.toString()).isZero();
      var later = Trainyard.command(home, "", "whoami");
      assertThat(later.exitCode()).as("the certificate is remembered: %s", later).isZero();
    }
  }
}
