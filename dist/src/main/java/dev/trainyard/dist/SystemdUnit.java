package dev.trainyard.dist;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The text of a systemd unit. Pure.
 *
 * @param command what starts the server, without {@code up}
 * @param options of {@code up}
 * @param ofUser a service of one account, without root
 */
record SystemdUnit(List<String> command, Path data, List<String> options, boolean ofUser) {
  private static final String NETWORK =
      """
      Wants=network-online.target
      After=network-online.target local-fs.target postgresql.service
      """;

  String text() {
    List<String> words = new ArrayList<>(command);
    words.addAll(List.of("up", "--data", data.toString()));
    words.addAll(options);
    String start = words.stream().map(SystemdUnit::quoted).collect(Collectors.joining(" "));
    return """
    [Unit]
    Description=Trainyard, training jobs on this machine
    %s
    [Service]
    Type=exec
    ExecStart=%s
    # Only the server is ended: tasks go on, and the next start adopts them.
    KillMode=process
    Restart=on-failure
    RestartSec=2
    # Java reports a SIGTERM like this.
    SuccessExitStatus=143
    TimeoutStartSec=120
    TimeoutStopSec=90
    # A task that runs out of memory is no reason to stop the server.
    OOMPolicy=continue
    %sLimitNOFILE=1048576
    TasksMax=infinity
    # Tasks get control groups of their own below the service's.
    Delegate=yes
    UMask=0077
    Environment=LC_ALL=C.UTF-8

    [Install]
    WantedBy=%s
    """
        .formatted(
            ofUser ? "" : NETWORK,
            start,
            ofUser ? "" : "OOMScoreAdjust=-500\n",
            ofUser ? "default.target" : "multi-user.target");
  }

  /** A word as systemd reads it: {@code %} and {@code $} would stand for something else. */
  static String quoted(String word) {
    String plain = word.replace("%", "%%").replace("$", "$$");
    if (plain.matches("[A-Za-z0-9_@%+=:,./$-]+")) {
      return plain;
    }
    String escaped = plain.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    return "\"" + escaped + "\"";
  }
}
