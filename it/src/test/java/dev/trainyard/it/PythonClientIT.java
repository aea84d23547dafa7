package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.testkit.Requirement;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the client of the HTTP API in examples/client.py. */
class PythonClientIT extends NeedsSandbox {
  /** Prints the log of a task while it runs, and then the types of all events. */
  private static final String PROGRAM =
      """
      import os, sys, threading, time
      from client import Client, FINISHED

      client = Client(sys.argv[1])
      client.sign_in("admin", "chosen-password")
      client = Client(sys.argv[1], client.create_token("test"))
      with open("job.json", "rb") as file:
          job = client.submit(file.read())["id"]
      types = []

      def follow():
          for event in client.events(job, after=0):
              types.append(event["type"])
              if event["type"] in FINISHED:
                  return

      thread = threading.Thread(target=follow)
      thread.start()
      while client.job(job)["state"] != "RUNNING":
          time.sleep(0.1)
      for piece in client.log(job):
          sys.stdout.buffer.write(piece)
          sys.stdout.flush()
      thread.join()
      print(" ".join(types), client.wait(job)["state"])
      """;

  @TempDir Path directory;

  @Test
  void client_serverCrashesInTheMeantime_losesAndRepeatsNothing() throws Exception {
    Requirement.require("python", Files.isExecutable(Path.of("/usr/bin/python3")), "no python3");
    Path data = directory.resolve("data");
    var password = Map.of("TRAINYARD_ADMIN_PASSWORD", "chosen-password");
    String command = "for i in $(seq 1 5); do echo line $i; sleep 1; done";
    Files.writeString(directory.resolve("job.json"), Trainyard.job("count", command));
    Trainyard first = Trainyard.start(data, password, "--engine", "process");
    String port = first.url().substring(first.url().lastIndexOf(':') + 1);
    Process client = null;
    try {
      ProcessBuilder builder =
          new ProcessBuilder("/usr/bin/python3", "-c", PROGRAM, first.url())
              .directory(directory.toFile())
              .redirectError(directory.resolve("errors").toFile());
      builder
          .environment()
          .put("PYTHONPATH", Trainyard.CHECKOUT.resolve("examples").toRealPath().toString());
      builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
      client = builder.start();
      BufferedReader out = client.inputReader(StandardCharsets.UTF_8);
      assertThat(out.readLine()).as(errors()).isEqualTo("line 1");
      first.kill();
      try (Trainyard second = Trainyard.start(data, "--engine", "process", "--port", port)) {
        List<String> rest = out.lines().toList();
        assertThat(client.waitFor(1, TimeUnit.MINUTES)).isTrue();
        List<String> expected = new ArrayList<>();
        for (int i = 2; i <= 5; i++) {
          expected.add("line " + i);
        }
        expected.add("SUBMITTED PREPARING RUNNING SUCCEEDED SUCCEEDED");
        assertThat(rest).as(errors() + second.url()).isEqualTo(expected);
      }
    } finally {
      if (client != null) {
        client.destroyForcibly();
      }
      first.close();
    }
  }

  private String errors() throws Exception {
    return Files.readString(directory.resolve("errors"));
  }
}
