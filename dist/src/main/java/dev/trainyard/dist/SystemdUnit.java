package dev.trainyard.dist;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A systemd unit of the server.
 *
 * @param command the program with its first arguments, without {@code up}
 * @param options options of {@code up}
 * @param userService whether this is a user service, which runs without root
 */
record SystemdUnit(List<String> command, Path data, List<String> options, boolean userService) {
  private static final String NETWORK =
      """
      Wants=network-online.target
      After=network-online.target local-fs.target postgresql.service
      """;

  String text() {
    List<String> commandLine = new ArrayList<>(command);
    commandLine.addAll(List.of("up", "--data", data.toString()));
    commandLine.addAll(options);
    String startCommand =
        commandLine.stream().map(SystemdUnit::quote).collect(Collectors.joining(" "));
    return """
    [Unit]
    Description=Trainyard, platform for training jobs
    %s
    [Service]
    Type=exec
    ExecStart=%s
    # Stops only the server: tasks keep running, and the next server process adopts them.
    KillMode=process
    Restart=on-failure
    RestartSec=2
    # Exit code of Java after SIGTERM.
    SuccessExitStatus=143
    TimeoutStartSec=120
    TimeoutStopSec=90
    # Keep the server running when a task runs out of memory.
    OOMPolicy=continue
    %sLimitNOFILE=1048576
    TasksMax=infinity
    # The server creates a control group for each task below the control group of the service.
    Delegate=yes
    UMask=0077
    Environment=LC_ALL=C.UTF-8

    [Install]
    WantedBy=%s
    """
        .formatted(
            userService ? "" : NETWORK,
            startCommand,
            userService ? "" : "OOMScoreAdjust=-500\n",
            userService ? "default.target" : "multi-user.target");
  }

  /** Quotes a word for systemd, in which {@code %} and {@code $} have a special meaning. */
  static String quote(String word) {
    String escapedSpecifiers = word.replace("%", "%%").replace("$", "$$");
    if (escapedSpecifiers.matches("[A-Za-z0-9_@%+=:,./$-]+")) {
      return escapedSpecifiers;
    }
    String escaped =
        escapedSpecifiers.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    return "\"" + escaped + "\"";
  }
}
