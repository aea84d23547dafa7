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
 * Slurm on this host: a controller and one node with 64 declared CPUs, with all files in a separate
 * directory. Closing it stops all its processes. Installs the Debian packages if they are missing.
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
    private final String lines;

    Variant(String label, String lines) {
      this.label = label;
      this.lines = lines;
    }

    String label() {
      return label;
    }
  }

  /** Slurm cannot be installed or started on this host. */
  static final class MissingException extends Exception {
    private static final long serialVersionUID = 1;

    MissingException(String message) {
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
      slurm.daemon("slurmctld", "-D", "-i", "-f", slurm.config());
      slurm.daemon("slurmd", "-D", "-f", slurm.config());
      slurm.await("the node", () -> slurm.output("sinfo", "-h", "-o", "%T").contains("idle"));
      return slurm;
    } catch (Exception e) {
      slurm.close();
      throw e;
    }
  }

  private static void install() throws IOException, InterruptedException, MissingException {
    if (Files.isExecutable(Path.of("/usr/sbin/slurmctld"))) {
      return;
    }
    // Keeps the packages from starting their system services.
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
      throw new MissingException("failed to install slurm-wlm");
    }
  }

  private String config() {
    return directory.resolve("slurm.conf").toString();
  }

  private Path socket() {
    return directory.resolve("munge.socket");
  }

  private void startMunge() throws Exception {
    Path key = directory.resolve("munge.key");
    byte[] secret = new byte[128];
    new java.security.SecureRandom().nextBytes(secret);
    Files.createFile(
        key, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.write(key, secret);
    daemon(
        "munged",
        "--foreground",
        "--force",
        "--key-file=" + key,
        "--socket=" + socket(),
        "--pid-file=" + directory.resolve("munge.pid"),
        "--seed-file=" + directory.resolve("munge.seed"),
        "--log-file=" + directory.resolve("munge.log"));
    await("munge", () -> Files.exists(socket()));
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
                socket(),
                state,
                spool,
                directory,
                variant.lines),
        StandardCharsets.UTF_8);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void daemon(String... command) throws IOException {
    List<String> whole = new ArrayList<>(Arrays.asList(command));
    whole.set(0, "/usr/sbin/" + command[0]);
    ProcessBuilder builder = builder(whole);
    builder.redirectErrorStream(true);
    builder.redirectOutput(directory.resolve(command[0] + ".out").toFile());
    daemons.add(builder.start());
  }

  private ProcessBuilder builder(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.directory(directory.toFile());
    builder.environment().put("SLURM_CONF", config());
    return builder;
  }

  private String output(String... command) throws IOException, InterruptedException {
    Process process = builder(Arrays.asList(command)).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return text;
  }

  /** A condition to wait for. */
  private interface Condition {
    boolean isTrue() throws Exception;
  }

  private void await(String what, Condition condition) throws Exception {
    long start = System.nanoTime();
    while (!condition.isTrue()) {
      if (ThroughputBench.seconds(start) > TIMEOUT_SECONDS) {
        throw new MissingException("timed out waiting for " + what + "; see " + directory);
      }
      for (Process daemon : daemons) {
        if (!daemon.isAlive()) {
          throw new MissingException("a Slurm daemon exited: " + daemonOutput());
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
    ThroughputBench.together(
        jobs,
        number -> {
          String said = output("sbatch", "--output=/dev/null", "--wrap", "true");
          if (!said.contains("Submitted")) {
            throw new IOException(said);
          }
        });
    double submitted = ThroughputBench.seconds(start);
    await("the end of the jobs", () -> output("squeue", "-h").isBlank());
    return new ThroughputBench.Result(jobs, submitted, ThroughputBench.seconds(start));
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
