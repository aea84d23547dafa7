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
final class Container {
  static final String PLATFORM = "/usr/local/pai";

  /** Relative to the platform's directory. */
  static final String INIT_DIRECTORY = ".trainyard";

  static final String INIT = PLATFORM + "/" + INIT_DIRECTORY + "/init";

  private static final long MOST_PROCESSES = 16_384;
  private static final long UNLIMITED = -1;

  /** Docker's minimum. */
  private static final long LEAST_MEMORY = 6L << 20;

  /** Read by the vendors' container runtimes when they start a container. */
  private static final Set<String> RUNTIMES =
      Set.of("NVIDIA_VISIBLE_DEVICES", "ASCEND_VISIBLE_DEVICES");

  private static final long NANO = 1_000_000_000L;

  private final DockerEngineConfig config;
  private final Labels labels;
  private final VolumeMounts volumes;
  private final SecretDirectory secrets;
  private final RightsGrant rights;
  private final int machineCpus;

  /**
   * @param cpus number of CPUs of the host; Docker rejects a higher limit
   */
  Container(
      DockerEngineConfig config,
      Labels labels,
      VolumeMounts volumes,
      SecretDirectory secrets,
      RightsGrant rights,
      int cpus) {
    this.config = config;
    this.labels = labels;
    this.volumes = volumes;
    this.secrets = secrets;
    this.rights = rights;
    this.machineCpus = cpus;
  }

  /**
   * @param image identified by its ID, so that it is exactly the image that was inspected
   */
  CreateContainerCmd command(
      DockerClient docker,
      TaskSpec spec,
      DockerTaskDirectory place,
      LocalImage image,
      Networks.Address at) {
    CreateContainerCmd create =
        docker
            .createContainerCmd(image.id())
            .withName(labels.containerName(spec.id()))
            .withLabels(labels.of(spec.id()))
            .withHostName(spec.hostName())
            .withEntrypoint(INIT)
            .withCmd(arguments(spec))
            .withEnv(environment(spec))
            // Disables the image's own health check, which would use resources and which the
            // platform ignores.
            .withHealthcheck(new HealthCheck().withTest(List.of("NONE")))
            .withIpv4Address(at.address())
            .withAliases(spec.hostName())
            .withExposedPorts(exposed(spec))
            .withHostConfig(host(spec, place, at));
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
    List<String> words = new ArrayList<>(List.of("run", Long.toString(spec.logLimit().bytes())));
    words.add("/");
    words.add(INIT.replace("/init", "/stdout"));
    spec.volumes().stream()
        .filter(volume -> volume.access() != Volume.Access.READ_ONLY)
        .forEach(volume -> words.add(VolumeTarget.check(volume.target())));
    return words;
  }

  /**
   * Returns only the variables that the vendors' runtimes must see. The task's own variables are in
   * a file, because some are known only at the start, and because an image that is committed from
   * the container would keep all names that are set here.
   */
  private static List<String> environment(TaskSpec spec) {
    return DeviceGrant.variables(spec.devices()).entrySet().stream()
        .filter(variable -> RUNTIMES.contains(variable.getKey()))
        .map(variable -> variable.getKey() + "=" + variable.getValue())
        .toList();
  }

  private HostConfig host(TaskSpec spec, DockerTaskDirectory place, Networks.Address at) {
    HostConfig host =
        HostConfig.newHostConfig()
            .withNetworkMode(at.network())
            // The first process of the container writes the logs itself; see docs/rationale.md.
            .withLogConfig(new LogConfig(LogConfig.LoggingType.NONE))
            .withPidsLimit(MOST_PROCESSES)
            .withCapDrop(Capability.MKNOD)
            .withUlimits(ulimits(spec))
            .withPortBindings(bindings(spec))
            .withInit(false)
            .withPrivileged(false)
            .withMounts(mounts(spec, place));
    long memory = spec.resources().memory().bytes();
    if (memory > 0) {
      long bytes = Math.max(LEAST_MEMORY, memory);
      host.withMemory(bytes).withMemorySwap(bytes);
    }
    int cpus = Math.min(spec.resources().cpus(), machineCpus);
    if (cpus > 0) {
      host.withNanoCPUs(cpus * NANO);
    }
    if (spec.resources().sharedMemory().bytes() > 0) {
      host.withShmSize(spec.resources().sharedMemory().bytes());
    }
    DeviceGrant.add(host, spec.devices());
    rights.add(host, spec.rights());
    return host;
  }

  /**
   * Does not set the limit of open files, because the engine cannot raise it above its own limit.
   */
  private List<Ulimit> ulimits(TaskSpec spec) {
    List<Ulimit> limits = new ArrayList<>();
    limits.add(new Ulimit("core", 0L, 0L));
    if (config.connection().isPodman() && !ProcessLimitSupport.mayBeRaised()) {
      // Podman would set the maximum, which it cannot; its own limits are most likely the same as
      // the server's.
      addOwn(limits, "nofile", "Max open files", Long.MAX_VALUE);
      addOwn(limits, "nproc", "Max processes", MOST_PROCESSES);
    }
    if (!spec.devices().isEmpty() && ProcessLimitSupport.mayBeRaised()) {
      limits.add(new Ulimit("memlock", UNLIMITED, UNLIMITED));
    }
    return limits;
  }

  private static void addOwn(List<Ulimit> limits, String name, String what, long most) {
    ProcessLimitSupport.own(what)
        .ifPresent(own -> limits.add(new Ulimit(name, Math.min(own, most), Math.min(own, most))));
  }

  private static List<ExposedPort> exposed(TaskSpec spec) {
    return spec.ports().stream().map(ExposedPort::tcp).toList();
  }

  private List<PortBinding> bindings(TaskSpec spec) {
    List<PortBinding> bindings = new ArrayList<>();
    for (int port : spec.ports()) {
      for (String address : config.publishAddresses()) {
        Ports.Binding here = Ports.Binding.bindIpAndPort(address, port);
        bindings.add(new PortBinding(here, ExposedPort.tcp(port)));
      }
    }
    return bindings;
  }

  private List<Mount> mounts(TaskSpec spec, DockerTaskDirectory place) {
    TaskId task = spec.id();
    List<Mount> mounts = new ArrayList<>();
    mounts.add(bind(place.platform().toString(), PLATFORM).withReadOnly(true));
    mounts.add(
        bind(secrets.of(task).toString(), PLATFORM + "/" + SecretFiles.DIRECTORY)
            .withReadOnly(true));
    String ours = PLATFORM + "/" + INIT_DIRECTORY + "/";
    // Mounts single files, because in a directory the task could replace them by links.
    for (LogStream stream : LogStream.values()) {
      String file = stream.fileName();
      mounts.add(bind(spec.logDirectory().resolve(file).toString(), ours + file));
    }
    mounts.add(bind(place.file("end").toString(), ours + "end"));
    mounts.add(bind(place.file("hosts").toString(), "/etc/hosts"));
    for (int i = 0; i < spec.volumes().size(); i++) {
      String target = VolumeTarget.check(spec.volumes().get(i).target());
      mounts.add(bind(volumes.of(task, i).toString(), target));
    }
    mounts.addAll(DeviceGrant.mounts(spec.devices()));
    return mounts;
  }

  private static Mount bind(String source, String target) {
    return new Mount().withType(MountType.BIND).withSource(source).withTarget(target);
  }

  /** Formats the variables as {@code init.c} reads them: each followed by a zero byte. */
  static String variables(Map<String, String> environment) {
    StringBuilder text = new StringBuilder();
    environment.forEach((name, value) -> text.append(name).append('=').append(value).append('\0'));
    return text.toString();
  }
}
