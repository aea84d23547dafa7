package dev.trainyard.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.cli.FakeServer;
import dev.trainyard.cli.ServedShell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JobFollowerTest extends ServedShell {
  private static final String JOB = "/api/v3/jobs/01J";
  private static final String HANG_UP = "";

  private Path file;

  @BeforeEach
  void submit() throws IOException {
    file = Files.writeString(home.resolve("job.json"), "{}");
    server.on("POST", "/api/v3/jobs", 201, "{\"id\":\"01J\",\"name\":\"a\",\"user\":\"alice\"}");
    server.log(JOB + "/logs/-/-/stdout", "words\n");
    server.log(JOB + "/logs/-/-/stderr", "");
  }

  private static String job(String state, int attempt, int taskCount, String... tasks) {
    return ("{\"id\":\"01J\",\"name\":\"a\",\"user\":\"alice\",\"state\":\"%s\",\"exitCode\":0,"
            + "\"attempt\":%d,\"taskCount\":%d,\"tasks\":[%s]}")
        .formatted(state, attempt, taskCount, String.join(",", tasks));
  }

  /** What the server says at each look at the job, counted from 1. */
  private void looks(IntFunction<String> said) {
    AtomicInteger looks = new AtomicInteger();
    server.on(
        "GET",
        JOB,
        exchange -> {
          String answer = said.apply(looks.incrementAndGet());
          if (answer.equals(HANG_UP)) {
            exchange.close();
          } else {
            FakeServer.reply(exchange, 200, answer);
          }
        });
  }

  private int run() {
    return shell.run("run", file.toString());
  }

  @Test
  void follow_serverRestarted_goesOn() {
    // Java itself asks a second time when the first connection is closed without an answer.
    looks(look -> look > 1 && look < 5 ? HANG_UP : job(look < 6 ? "RUNNING" : "SUCCEEDED", 1, 1));
    assertThat(run()).as(shell.err()).isZero();
    assertThat(shell.out()).isEqualTo("words\n");
  }
}
