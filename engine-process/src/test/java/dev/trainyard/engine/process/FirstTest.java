package dev.trainyard.engine.process;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FirstTest {
  @TempDir Path data;

  @Test
  void go() throws Exception {
    try (Sandbox sandbox = new Sandbox(data)) {
      for (String script :
          new String[] {
            "id; pwd; env; ls -la / /dev /root /home; cat /etc/shadow; cat /proc/self/mountinfo; ps"
                + " ax; echo x > /dev/stderr; echo hi > /usr/bin/foo && ls -l /usr/bin/foo; grep"
                + " Cap /proc/self/status; sudo id; cat /etc/hosts; exit 7"
          }) {
        System.out.println(sandbox.run(script));
      }
    }
  }
}
