package dev.trainyard.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Slurm on this host: a controller and one node with 64 declared CPUs. All files are in a separate
 * directory. Closing this object stops all processes of Slurm. Installs the Debian packages if they
 * are missing.
 */
final class Slurm implements AutoCloseable {
  private static final long TIMEOUT_SECONDS = 600;

  /** A configuration of Slurm. */
  enum Variant {
    AS_INSTALLED("Slurm, as Debian installs it", ""),
    TUNED(
        "Slurm, tuned for short jobs",
        "SchedulerParameters=batch_sched_delay=0,sched_min_interval=1000,sched_interval=1\n");

    private final String label;
    private final String schedulerLines;

    Variant(String label, String schedulerLines) {
      this.label = label;
      this.schedulerLines = schedulerLines;
    }

    String label() {
      return label;
    }
  }

  /** Thrown if Slurm cannot be installed or started on this host. */
  static final class UnavailableException extends Exception {
    private static final long serialVersionUID = 1;

    UnavailableException(String message) {
      super(message);
    }
  }

  private final Path directory;
  private final List<Process> daemons = new ArrayList<>();

  private Slurm(Path directory) {
    this.directory = directory;
  }

  static Slurm start(Path directory, Variant variant) throws Exception {
    install();
    Slurm slurm = new Slurm(Files.createDirectories(directory));
    try {
      slurm.startMunge();
      slurm.configure(variant);
      slurm.startDaemon("slurmctld", "-D", "-i", "-f", slurm.configFile());
      slurm.startDaemon("slurmd", "-D", "-f", slurm.configFile());
      slurm.await("the node", () -> slurm.output("sinfo", "-h", "-o", "%T").contains("idle"));
      return slurm;
    } catch (Exception e) {
      slurm.close();
      throw e;
    }
  }

  private static void install() throws IOException, InterruptedException, UnavailableException {
    if (Files.isExecutable(Path.of("/usr/sbin/slurmctld"))) {
      return;
    }
    Process apt =
        new ProcessBuilder(
                "sh",
                "-c",
                "apt-get install -y --no-install-recommends slurm-wlm munge || (apt-get update &&"
                    + " apt-get install -y --no-install-recommends slurm-wlm munge)")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (apt.waitFor() != 0) {
      throw new UnavailableException("failed to install slurm-wlm");
    }
  }

  private String configFile() {
    return directory.resolve("slurm.conf").toString();
  }

  private Path mungeSocket() {
    return directory.resolve("munge.socket");
  }

  private void startMunge() throws Exception {
    Path key = directory.resolve("munge.key");
    byte[] secret = new byte[128];
    new java.security.SecureRandom().nextBytes(secret);
    Files.createFile(
        key, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.write(key, secret);
    startDaemon(
        "munged",
        "--foreground",
        "--force",
        "--key-file=" + key,
        "--socket=" + mungeSocket(),
        "--pid-file=" + directory.resolve("munge.pid"),
        "--seed-file=" + directory.resolve("munge.seed"),
        "--log-file=" + directory.resolve("munge.log"));
    await("munge", () -> Files.exists(mungeSocket()));
  }

  private void configure(Variant variant) throws IOException, InterruptedException {
    String host = output("hostname", "-s").strip();
    int port = freePort();
    Path state = Files.createDirectories(directory.resolve("state"));
    Path spool = Files.createDirectories(directory.resolve("spool"));
    Files.writeString(
        directory.resolve("slurm.conf"),
        """
        ClusterName=bench
        SlurmctldHost=%1$s(%2$s)
        SlurmUser=root
        SlurmdUser=root
        SlurmctldPort=%3$d
        SlurmdPort=%4$d
        AuthType=auth/munge
        AuthInfo=socket=%5$s
        CryptoType=crypto/munge
        StateSaveLocation=%6$s
        SlurmdSpoolDir=%7$s
        SlurmctldPidFile=%8$s/slurmctld.pid
        SlurmdPidFile=%8$s/slurmd.pid
        SlurmctldLogFile=%8$s/slurmctld.log
        SlurmdLogFile=%8$s/slurmd.log
        ProctrackType=proctrack/linuxproc
        TaskPlugin=task/none
        MpiDefault=none
        ReturnToService=2
        SelectType=select/cons_tres
        SelectTypeParameters=CR_CPU
        SlurmdParameters=config_overrides
        %9$sNodeName=%1$s NodeAddr=127.0.0.1 CPUs=64 State=UNKNOWN
        PartitionName=all Nodes=%1$s Default=YES MaxTime=INFINITE State=UP
        """
            .formatted(
                host,
                InetAddress.getLoopbackAddress().getHostAddress(),
                port,
                freePort(),
                mungeSocket(),
                state,
                spool,
                directory,
                variant.schedulerLines),
        StandardCharsets.UTF_8);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void startDaemon(String... command) throws IOException {
    List<String> commandLine = new ArrayList<>(Arrays.asList(command));
    commandLine.set(0, "/usr/sbin/" + command[0]);
    ProcessBuilder builder = processBuilder(commandLine);
    builder.redirectErrorStream(true);
    builder.redirectOutput(directory.resolve(command[0] + ".out").toFile());
    daemons.add(builder.start());
  }

  private ProcessBuilder processBuilder(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.directory(directory.toFile());
    builder.environment().put("SLURM_CONF", configFile());
    return builder;
  }

  private String output(String... command) throws IOException, InterruptedException {
    Process process = processBuilder(Arrays.asList(command)).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return text;
  }

  /** A condition to wait for. */
  private interface Condition {
    boolean holds() throws Exception;
  }

  private void await(String awaitedState, Condition condition) throws Exception {
    long start = System.nanoTime();
    while (!condition.holds()) {
      if (ThroughputBench.secondsSince(start) > TIMEOUT_SECONDS) {
        throw new UnavailableException(
            "timed out waiting for " + awaitedState + "; see " + directory);
      }
      for (Process daemon : daemons) {
        if (!daemon.isAlive()) {
          throw new UnavailableException("a Slurm daemon exited: " + daemonOutput());
        }
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private String daemonOutput() throws IOException {
    StringBuilder text = new StringBuilder();
    for (String name : List.of("munged.out", "slurmctld.out", "slurmd.out")) {
      Path file = directory.resolve(name);
      if (Files.exists(file)) {
        text.append(Files.readString(file).lines().limit(5).toList());
      }
    }
    return text.toString();
  }

  ThroughputBench.Result run(int jobs) throws Exception {
    long start = System.nanoTime();
    ThroughputBench.submitConcurrently(
        jobs,
        number -> {
          String output = output("sbatch", "--output=/dev/null", "--wrap", "true");
          if (!output.contains("Submitted")) {
            throw new IOException("sbatch failed: " + output);
          }
        });
    double submitted = ThroughputBench.secondsSince(start);
    await("the end of the jobs", () -> output("squeue", "-h").isBlank());
    return new ThroughputBench.Result(jobs, submitted, ThroughputBench.secondsSince(start));
  }

  @Override
  public void close() {
    for (Process daemon : daemons.reversed()) {
      daemon.destroy();
      try {
        if (!daemon.waitFor(20, TimeUnit.SECONDS)) {
          daemon.destroyForcibly().waitFor();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
