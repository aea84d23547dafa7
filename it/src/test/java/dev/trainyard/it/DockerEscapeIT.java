package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Attacks by a hostile user, with a job file and from inside a container. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DockerEscapeIT extends NeedsDocker {
  private static final String CANARY = "do-not-find-me-7d1f";

  @TempDir static Path directory;
  private Trainyard trainyard;
  private int jobs;

  @BeforeAll
  void startServer() throws Exception {
    Files.writeString(directory.resolve("canary"), CANARY);
    trainyard =
        Trainyard.start(
            directory.resolve("data"), "--engine", "docker", "--capacity", "cpu=8,memoryMB=16384");
    Path other = trainyard.data().resolve("home/bob");
    Files.createDirectories(other);
    Files.writeString(other.resolve("diary"), CANARY);
  }

  @AfterAll
  void closeServer() {
    if (trainyard != null) {
      trainyard.close();
    }
  }

  @Test
  void jobFile_hostDirectories_areRejected() throws Exception {
    for (String path :
        new String[] {
          "/",
          "/..",
          "/../../etc",
          "/data/../../" + directory,
          "/proc",
          "/sys",
          "/dev",
          "/etc",
          "/usr/local/pai",
          "/userhome/../../bob",
          "/var/run/docker.sock",
          directory.toString()
        }) {
      ObjectNode file =
          job("cat " + directory + "/canary /canary $PAI_DATA_DIR/canary; echo looked");
      file.put("dataDir", path).put("outputDir", path);
      var response = trainyard.request("POST", "/api/v3/jobs", file.toString());
      if (response.statusCode() == 201) {
        String id = Trainyard.JSON.readTree(response.body()).get("id").asText();
        trainyard.await(id, "SUCCEEDED", "FAILED");
        assertThat(trainyard.log(id, "stdout")).as(path).doesNotContain(CANARY);
      } else {
        assertThat(response.statusCode()).as("%s: %s", path, response.body()).isIn(400, 422);
      }
    }
  }

  @Test
  void task_seesOnlyItsOwnFiles() throws Exception {
    String seen =
        output(
            "ls -a / /userhome /usr/local/pai; find / -xdev -name docker.sock 2>/dev/null; find /"
                + " -xdev -name diary 2>/dev/null; cat /userhome/../bob/diary"
                + " /userhome/../../home/bob/diary; ls -d /var/run/docker.sock /run/docker.sock "
                + trainyard.data());
    assertThat(seen).contains("runtime.d").doesNotContain("docker.sock", "diary", CANARY);
  }

  @Test
  void task_cannotUseHostDevices() throws Exception {
    String said =
        output(
            "mknod /tmp/disk b 254 0 && echo MADE; head -c 1 /tmp/disk && echo READ; mknod /tmp/mem"
                + " c 1 1 && head -c 1 /tmp/mem && echo READ; head -c 1 /dev/mem && echo READ; head"
                + " -c 1 /dev/kmsg && echo READ; ls /dev; echo end");
    assertThat(said).doesNotContain("READ").contains("end");
    assertThat(said.lines()).contains("null", "shm").doesNotContain("kvm", "vda", "sda", "mem");
  }

  @Test
  void task_cannotChangeKernelSettings() throws Exception {
    String said =
        output(
            "mount -t proc proc /mnt && echo DONE; mount -o remount,rw /proc/sys && echo DONE; echo"
                + " 1 >/proc/sys/kernel/sysrq && echo DONE; echo b >/proc/sysrq-trigger && echo"
                + " DONE; echo x >/usr/local/pai/x && echo DONE; chroot /proc/1/root true &&"
                + " unshare -m true && echo DONE; echo end");
    assertThat(said).isEqualTo("end\n");
  }

  @Test
  void container_isConfined() throws Exception {
    String id = submit("echo ready; sleep 100");
    trainyard.await(id, "RUNNING");
    JsonNode host =
        Trainyard.JSON.readTree(docker("inspect", container(id))).get(0).get("HostConfig");
    assertThat(host.get("Privileged").asBoolean()).isFalse();
    assertThat(host.get("NetworkMode").asText()).isNotEqualTo("host");
    assertThat(host.get("PidMode").asText()).isEmpty();
    assertThat(host.get("IpcMode").asText()).isIn("private", "shareable", "");
    assertThat(host.get("UTSMode").asText()).isEmpty();
    assertThat(host.path("CapAdd").toString()).isIn("null", "[]");
    assertThat(host.path("Devices").toString()).isIn("null", "[]");
    assertThat(host.get("Binds") + "" + host.get("Mounts")).doesNotContain("docker.sock");
    trainyard.run("stop", id);
    trainyard.await(id, "STOPPED");
  }

  @Test
  void task_callsTheServerOnlyWithAToken() throws Exception {
    String said =
        python(
            """
            import os, urllib.error, urllib.request
            url = os.environ["TRAINYARD_URL"]
            own = url + "/api/v3/jobs/" + os.environ["PAI_CONTAINER_ID"].split(".")[0]
            bearer = {"Authorization": "Bearer " + os.environ["TRAINYARD_TOKEN"]}
            for path, headers in [(own, {}), (own, bearer), (url + "/api/v3/users", bearer)]:
                try:
                    print(urllib.request.urlopen(urllib.request.Request(path, headers=headers)).status)
                except urllib.error.HTTPError as refusal:
                    print(refusal.code)
            """);
    assertThat(said).isEqualTo("401\n200\n403\n");
  }

  @Test
  void task_cannotReachTheMetadataService() throws Exception {
    String said =
        python(
            """
            import socket
            try:
                socket.create_connection(("169.254.169.254", 80), 3)
                print("reached")
            except OSError as refusal:
                print("not reached")
            """);
    assertThat(said).isEqualTo("not reached\n");
  }

  private String python(String script) throws Exception {
    ObjectNode file = job("cat >/tmp/ask.py <<'END'\n" + script + "END\npython3 /tmp/ask.py");
    file.put("image", "trainyard-test/python");
    return output(trainyard.submit(file.toString()));
  }

  private String output(String command) throws Exception {
    return output(trainyard.submit(job(command).toString()));
  }

  private String output(JsonNode submitted) throws Exception {
    String id = submitted.get("id").asText();
    trainyard.await(id, "SUCCEEDED", "FAILED");
    return trainyard.log(id, "stdout");
  }

  private String submit(String command) throws Exception {
    return trainyard.submit(job(command).toString()).get("id").asText();
  }

  private ObjectNode job(String command) throws Exception {
    ObjectNode file =
        (ObjectNode) Trainyard.JSON.readTree(Trainyard.job("escape" + jobs++, command));
    return file.put("image", "trainyard-test/busybox");
  }
}
