package dev.trainyard.cli;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Base class with a shell that is signed in to a server with responses of the test. */
public abstract class ServedShell {
  @TempDir protected Path home;
  protected FakeServer server;
  protected TestShell shell;

  @BeforeEach
  void signIn() throws IOException {
    server = new FakeServer();
    shell =
        new TestShell(home)
            .env("TRAINYARD_SERVER", server.address().toString())
            .env("TRAINYARD_TOKEN", "secret");
  }

  @AfterEach
  void closeServer() {
    server.close();
  }
}
