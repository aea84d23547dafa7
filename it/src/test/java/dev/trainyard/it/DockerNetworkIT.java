package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tasks of a job can connect to each other by name, but not to the tasks of another job. */
class DockerNetworkIT extends NeedsDocker {
  private static final String IMAGE = "trainyard-test/python";

  /** Both tasks sum up their values over the network. */
  private static final String REDUCE =
      """
      import os, torch, torch.distributed as group
      rank = int(os.environ["PAI_CURRENT_TASK_ROLE_NAME"] == "worker")
      port = os.environ["PAI_PORT_LIST_master_0_http"]
      group.init_process_group("gloo", init_method="tcp://master-0:" + port, rank=rank, world_size=2)
      model = torch.nn.Linear(3, 1, bias=False)
      torch.nn.init.zeros_(model.weight)
      trained = torch.nn.parallel.DistributedDataParallel(model)
      for _ in range(200):
          points = torch.randn(16, 3)
          loss = ((trained(points) - points.sum(1, keepdim=True)) ** 2).mean()
          model.zero_grad()
          loss.backward()
          with torch.no_grad():
              model.weight -= 0.1 * model.weight.grad
      print("weights", [round(value, 2) for value in model.weight.flatten().tolist()])
      """;

  private static final String CONNECT =
      "python3 -c 'import socket, sys; socket.create_connection((sys.argv[1], 8000), 4)' ";

  @TempDir Path directory;

  @Test
  void train_acrossContainersByHostName_succeeds() throws Exception {
    try (Trainyard trainyard = start()) {
      ObjectNode job =
          job("gloo", "cat >/tmp/train.py <<'END'\n" + REDUCE + "END\npython3 /tmp/train.py");
      ObjectNode master = (ObjectNode) job.at("/taskRoles/0");
      ObjectNode worker = master.deepCopy().put("name", "worker");
      job.withArray("taskRoles").removeAll().add(master.put("name", "master")).add(worker);
      String id = trainyard.submit(job.toString()).get("id").asText();
      JsonNode over = trainyard.await(id, "SUCCEEDED", "FAILED");
      assertThat(over.get("state").asText()).as("%s", over).isEqualTo("SUCCEEDED");
      for (String role : new String[] {"master", "worker"}) {
        assertThat(
                trainyard
                    .request("GET", "/api/v3/jobs/" + id + "/logs/" + role + "/0/stdout", "")
                    .body())
            .contains("weights [1.0, 1.0, 1.0]");
      }
    }
  }

  @Test
  void connect_toAnotherJob_fails() throws Exception {
    try (Trainyard trainyard = start()) {
      String served =
          trainyard
              .submit(
                  job("served", "cd /tmp; echo up; exec python3 -m http.server 8000").toString())
              .get("id")
              .asText();
      JsonNode running = trainyard.await(served, "RUNNING");
      String address = running.at("/tasks/0/address").asText();
      String within =
          trainyard
              .run(
                  "exec",
                  "served",
                  "--",
                  "sh",
                  "-c",
                  "until " + CONNECT + "main-0 2>/dev/null; do sleep 0.2; done; echo reached")
              .out();
      assertThat(within).isEqualTo("reached\n");

      String other =
          trainyard.submit(job("other", CONNECT + address).toString()).get("id").asText();
      assertThat(trainyard.await(other, "SUCCEEDED", "FAILED").get("state").asText())
          .isEqualTo("FAILED");
      assertThat(trainyard.log(other, "stderr"))
          .containsPattern("timed out|No route|refused|unreachable");
      trainyard.run("stop", "served");
      trainyard.await(served, "STOPPED");
    }
  }

  private Trainyard start() throws Exception {
    return Trainyard.start(
        directory.resolve("data"), "--engine", "docker", "--capacity", "cpu=8,memoryMB=16384");
  }

  private static ObjectNode job(String name, String command) throws Exception {
    ObjectNode job = (ObjectNode) Trainyard.JSON.readTree(Trainyard.job(name, command));
    return job.put("image", IMAGE);
  }
}
