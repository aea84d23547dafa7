package dev.trainyard.engine.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.HealthCheck;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.LogConfig;
import com.github.dockerjava.api.model.Mount;
import com.github.dockerjava.api.model.MountType;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports;
import com.github.dockerjava.api.model.Ulimit;
import dev.trainyard.engine.LogStream;
import dev.trainyard.engine.SecretFiles;
import dev.trainyard.engine.TaskSpec;
import dev.trainyard.engine.Volume;
import dev.trainyard.engine.linux.VolumeTarget;
import dev.trainyard.model.TaskId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Builds the Docker specification of a task's container. */
final class ContainerSpecBuilder {
  static final String PLATFORM_DIRECTORY = "/usr/local/pai";

  /**
   * Directory of the files that {@code init.c} reads and writes, relative to the platform's
   * directory.
   */
  static final String INIT_DIRECTORY = ".trainyard";

  static final String INIT = PLATFORM_DIRECTORY + "/" + INIT_DIRECTORY + "/init";

  private static final long MAX_PROCESSES = 16_384;
  private static final long UNLIMITED = -1;

  /** Minimum memory limit that Docker accepts. */
  private static final long MIN_MEMORY = 6L << 20;

  /** Variables that the vendors' container runtimes read when they start a container. */
  private static final Set<String> RUNTIME_VARIABLES =
      Set.of("NVIDIA_VISIBLE_DEVICES", "ASCEND_VISIBLE_DEVICES");

  private static final long NANOS_PER_CPU = 1_000_000_000L;

  private final DockerEngineConfig config;
  private final Labels labels;
  private final VolumeMounts volumes;
  private final SecretDirectory secretDirectory;
  private final RightsGrant rights;
  private final int hostCpus;

  /**
   * @param hostCpus number of CPUs of the host; Docker rejects a higher limit
   */
  ContainerSpecBuilder(
      DockerEngineConfig config,
      Labels labels,
      VolumeMounts volumes,
      SecretDirectory secretDirectory,
      RightsGrant rights,
      int hostCpus) {
    this.config = config;
    this.labels = labels;
    this.volumes = volumes;
    this.secretDirectory = secretDirectory;
    this.rights = rights;
    this.hostCpus = hostCpus;
  }

  /**
   * @param image the inspected image; the container refers to its ID and therefore uses exactly
   *     this image
   */
  CreateContainerCmd build(
      DockerClient docker,
      TaskSpec spec,
      DockerTaskDirectory taskDirectory,
      LocalImage image,
      Networks.Address taskAddress) {
    CreateContainerCmd create =
        docker
            .createContainerCmd(image.id())
            .withName(labels.containerName(spec.id()))
            .withLabels(labels.taskLabels(spec.id()))
            .withHostName(spec.hostName())
            .withEntrypoint(INIT)
            .withCmd(arguments(spec))
            .withEnv(environment(spec))
            // Disables the image's own health check, which would use resources and which the
            // platform ignores.
            .withHealthcheck(new HealthCheck().withTest(List.of("NONE")))
            .withIpv4Address(taskAddress.address())
            .withAliases(spec.hostName())
            .withExposedPorts(exposedPorts(spec))
            .withHostConfig(hostConfig(spec, taskDirectory, taskAddress));
    if (spec.rights().root()) {
      create.withUser("0:0");
    }
    if (image.workingDirectory().isEmpty()) {
      create.withWorkingDir(spec.workingDirectory());
    }
    return create;
  }

  /** Returns the arguments of {@code init.c}. */
  private static List<String> arguments(TaskSpec spec) {
    List<String> arguments =
        new ArrayList<>(List.of("run", Long.toString(spec.logLimit().bytes())));
    arguments.add("/");
    arguments.add(INIT.replace("/init", "/stdout"));
    spec.volumes().stream()
        .filter(volume -> volume.access() != Volume.Access.READ_ONLY)
        .forEach(volume -> arguments.add(VolumeTarget.check(volume.target())));
    return arguments;
  }

  /**
   * Returns only the variables that the vendors' runtimes must see. The task's own variables are in
   * a file, because some are known only at the start, and because an image that is committed from
   * the container would keep all names that are set here.
   */
  private static List<String> environment(TaskSpec spec) {
    return DeviceGrant.variables(spec.devices()).entrySet().stream()
        .filter(variable -> RUNTIME_VARIABLES.contains(variable.getKey()))
        .map(variable -> variable.getKey() + "=" + variable.getValue())
        .toList();
  }

  private HostConfig hostConfig(
      TaskSpec spec, DockerTaskDirectory taskDirectory, Networks.Address taskAddress) {
    HostConfig host =
        HostConfig.newHostConfig()
            .withNetworkMode(taskAddress.network())
            // The first process of the container writes the logs itself; see docs/rationale.md.
            .withLogConfig(new LogConfig(LogConfig.LoggingType.NONE))
            .withPidsLimit(MAX_PROCESSES)
            .withCapDrop(Capability.MKNOD)
            .withUlimits(ulimits(spec))
            .withPortBindings(portBindings(spec))
            .withInit(false)
            .withPrivileged(false)
            .withMounts(mounts(spec, taskDirectory));
    long memory = spec.resources().memory().bytes();
    if (memory > 0) {
      long bytes = Math.max(MIN_MEMORY, memory);
      host.withMemory(bytes).withMemorySwap(bytes);
    }
    int cpus = Math.min(spec.resources().cpus(), hostCpus);
    if (cpus > 0) {
      host.withNanoCPUs(cpus * NANOS_PER_CPU);
    }
    if (spec.resources().sharedMemory().bytes() > 0) {
      host.withShmSize(spec.resources().sharedMemory().bytes());
    }
    DeviceGrant.add(host, spec.devices());
    rights.add(host, spec.rights());
    return host;
  }

  /**
   * Returns the process limits. With Docker, the limit of open files is not set, because the engine
   * cannot raise it above its own limit.
   */
  private List<Ulimit> ulimits(TaskSpec spec) {
    List<Ulimit> limits = new ArrayList<>();
    limits.add(new Ulimit("core", 0L, 0L));
    if (config.connection().isPodman() && !ProcessLimitSupport.canRaiseLimits()) {
      // Podman would try to set the maximum, which fails. The limits of Podman itself are most
      // likely the same as the server's limits.
      addServerLimit(limits, "nofile", "Max open files", Long.MAX_VALUE);
      addServerLimit(limits, "nproc", "Max processes", MAX_PROCESSES);
    }
    if (!spec.devices().isEmpty() && ProcessLimitSupport.canRaiseLimits()) {
      limits.add(new Ulimit("memlock", UNLIMITED, UNLIMITED));
    }
    return limits;
  }

  private static void addServerLimit(List<Ulimit> limits, String name, String limitName, long max) {
    ProcessLimitSupport.serverLimit(limitName)
        .ifPresent(
            limit -> limits.add(new Ulimit(name, Math.min(limit, max), Math.min(limit, max))));
  }

  private static List<ExposedPort> exposedPorts(TaskSpec spec) {
    return spec.ports().stream().map(ExposedPort::tcp).toList();
  }

  private List<PortBinding> portBindings(TaskSpec spec) {
    List<PortBinding> bindings = new ArrayList<>();
    for (int port : spec.ports()) {
      for (String address : config.publishAddresses()) {
        Ports.Binding binding = Ports.Binding.bindIpAndPort(address, port);
        bindings.add(new PortBinding(binding, ExposedPort.tcp(port)));
      }
    }
    return bindings;
  }

  private List<Mount> mounts(TaskSpec spec, DockerTaskDirectory taskDirectory) {
    TaskId task = spec.id();
    List<Mount> mounts = new ArrayList<>();
    mounts.add(bind(taskDirectory.platform().toString(), PLATFORM_DIRECTORY).withReadOnly(true));
    mounts.add(
        bind(
                secretDirectory.taskDirectory(task).toString(),
                PLATFORM_DIRECTORY + "/" + SecretFiles.DIRECTORY)
            .withReadOnly(true));
    String initDirectory = PLATFORM_DIRECTORY + "/" + INIT_DIRECTORY + "/";
    // Mounts single files, because in a directory the task could replace them by links.
    for (LogStream stream : LogStream.values()) {
      String file = stream.fileName();
      mounts.add(bind(spec.logDirectory().resolve(file).toString(), initDirectory + file));
    }
    mounts.add(bind(taskDirectory.file("end").toString(), initDirectory + "end"));
    mounts.add(bind(taskDirectory.file("hosts").toString(), "/etc/hosts"));
    for (int i = 0; i < spec.volumes().size(); i++) {
      String target = VolumeTarget.check(spec.volumes().get(i).target());
      mounts.add(bind(volumes.mountPoint(task, i).toString(), target));
    }
    mounts.addAll(DeviceGrant.mounts(spec.devices()));
    return mounts;
  }

  private static Mount bind(String source, String target) {
    return new Mount().withType(MountType.BIND).withSource(source).withTarget(target);
  }

  /** Formats the variables as {@code init.c} reads them: each followed by a zero byte. */
  static String formatVariables(Map<String, String> environment) {
    StringBuilder text = new StringBuilder();
    environment.forEach((name, value) -> text.append(name).append('=').append(value).append('\0'));
    return text.toString();
  }
}
