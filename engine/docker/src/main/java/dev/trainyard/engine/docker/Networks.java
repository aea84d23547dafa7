package dev.trainyard.engine.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.Network;
import dev.trainyard.engine.EngineException;
import dev.trainyard.model.JobId;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Provides a network for each job, whose tasks can reach each other but no tasks of other jobs.
 * Creating and removing a network takes a considerable part of the start time of a container, so
 * some unused networks are kept for the next jobs. The network of a job is recorded with its tasks.
 * Thread-safe.
 */
final class Networks implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Networks.class);
  private static final int PREFIX_LENGTH = 24;

  /** Offset of the first address of a task; offset 0 is the network, offset 1 the host. */
  private static final int FIRST_ADDRESS = 2;

  private static final int LAST_ADDRESS = 254;
  private static final int MIN_SPARE = 2;

  /** Time for which unused networks are kept, so that the next burst of jobs can reuse them. */
  private static final Duration CLEANUP_DELAY = Duration.ofMinutes(1);

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private final DockerClient docker;
  private final Labels labels;
  private final AddressRange addressRange;
  private final int subnetCount;
  private final Map<String, String> options;
  private final Map<JobId, JobNetwork> jobs = new HashMap<>();
  private final NetworkPool pool = new NetworkPool();
  private final ScheduledThreadPoolExecutor cleanupExecutor =
      new ScheduledThreadPoolExecutor(
          1, Thread.ofPlatform().daemon().name("docker-networks").factory());

  /** Ranges of networks that exist or that are about to be created or removed. */
  private final Set<AddressRange> usedRanges = new HashSet<>();

  private boolean closed;
  private boolean cleanupScheduled;

  /** The network of a job, once created, and the addresses of its tasks. */
  private static final class JobNetwork {
    final CompletableFuture<AddressRange> network = new CompletableFuture<>();
    final Map<TaskId, Integer> addresses = new HashMap<>();
  }

  /** The address of a task. */
  record Address(String network, String address) {}

  Networks(DockerConnection connection, Labels labels, AddressRange addressRange) {
    this.docker = connection.client();
    // Docker isolates networks by default.
    this.options = connection.isPodman() ? Map.of("isolate", "true") : Map.of();
    this.labels = labels;
    this.addressRange = addressRange;
    this.subnetCount =
        addressRange.subnetCount(PREFIX_LENGTH)
            - (connection.isPodman() && reservedRange(addressRange).isPresent() ? 1 : 0);
    cleanupExecutor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    if (addressRange.subnetCount(PREFIX_LENGTH) == 0) {
      throw new EngineException(
          addressRange
              + " is too small for networks of "
              + (1 << (32 - PREFIX_LENGTH))
              + " addresses");
    }
  }

  /**
   * Returns the range that is never used for a job. Podman needs it for a permanent address of the
   * host.
   */
  static Optional<AddressRange> reservedRange(AddressRange addressRange) {
    int count = addressRange.subnetCount(PREFIX_LENGTH);
    return count < 2
        ? Optional.empty()
        : Optional.of(addressRange.subnet(PREFIX_LENGTH, count - 1));
  }

  /**
   * Adopts the networks of an earlier server process; called once, before any address is allocated.
   *
   * @param tasks all reserved tasks
   */
  synchronized void adopt(List<StoredTask> tasks) {
    Map<String, AddressRange> rangesByName = new HashMap<>();
    for (Network network : listOwnNetworks()) {
      subnet(network).ifPresent(range -> rangesByName.put(network.getName(), range));
    }
    for (StoredTask task : tasks) {
      AddressRange range = rangesByName.get(task.network());
      if (range == null) {
        continue; // The network was removed externally; the start reports that.
      }
      JobNetwork jobNetwork = jobs.computeIfAbsent(task.spec().id().job(), _ -> new JobNetwork());
      jobNetwork.network.complete(range);
      jobNetwork.addresses.put(task.spec().id(), offset(range, task.address()));
      usedRanges.add(range);
    }
    for (AddressRange range : rangesByName.values()) {
      if (usedRanges.add(range) && !pool.add(range)) {
        removeInBackground(range);
      }
    }
    scheduleCleanup();
    refillPool();
  }

  private static int offset(AddressRange range, String address) {
    return (int) (AddressRange.parse(address + "/32").firstAddress() - range.firstAddress());
  }

  private List<Network> listOwnNetworks() {
    return docker.listNetworksCmd().exec().stream()
        .filter(network -> network.getLabels() != null)
        .filter(network -> labels.serverId().equals(network.getLabels().get(Labels.SERVER)))
        .toList();
  }

  private static Optional<AddressRange> subnet(Network network) {
    if (network.getIpam() == null || network.getIpam().getConfig() == null) {
      return Optional.empty();
    }
    return network.getIpam().getConfig().stream()
        .map(Network.Ipam.Config::getSubnet)
        .filter(subnet -> subnet != null && subnet.matches("[0-9./]+"))
        .map(AddressRange::parse)
        .findFirst();
  }

  /** Allocates an address in the job's network, which is created for its first task. */
  Address allocateAddress(TaskId task) {
    JobNetwork jobNetwork;
    int offset;
    boolean createsNetwork;
    Optional<AddressRange> pooledNetwork = Optional.empty();
    synchronized (this) {
      jobNetwork = jobs.computeIfAbsent(task.job(), _ -> new JobNetwork());
      createsNetwork = jobNetwork.addresses.isEmpty() && !jobNetwork.network.isDone();
      // A task whose container has to be created again keeps its address.
      Integer previousOffset = jobNetwork.addresses.get(task);
      offset = previousOffset == null ? findFreeOffset(jobNetwork) : previousOffset;
      jobNetwork.addresses.put(task, offset);
      if (createsNetwork) {
        pooledNetwork = pool.poll();
      }
    }
    try {
      if (createsNetwork) {
        jobNetwork.network.complete(
            pooledNetwork.filter(this::exists).orElseGet(this::createNetwork));
      }
      AddressRange range = jobNetwork.network.join();
      return new Address(labels.networkName(range), range.address(offset));
    } catch (CompletionException e) {
      release(task);
      throw new EngineException("failed to create the job's network", e);
    } catch (RuntimeException e) {
      jobNetwork.network.completeExceptionally(e);
      release(task);
      throw e;
    } finally {
      if (createsNetwork) {
        Thread.ofVirtual().start(this::refillPool);
      }
    }
  }

  /**
   * Checks whether the network still exists, because an administrator may have removed unused
   * networks.
   */
  private boolean exists(AddressRange range) {
    try {
      docker.inspectNetworkCmd().withNetworkId(labels.networkName(range)).exec();
      return true;
    } catch (NotFoundException e) {
      releaseRange(range);
      return false;
    } catch (RuntimeException e) {
      returnToPool(range); // because the network most likely exists
      throw e;
    }
  }

  private synchronized void returnToPool(AddressRange range) {
    if (closed || !pool.add(range)) {
      removeInBackground(range);
    }
  }

  private static int findFreeOffset(JobNetwork jobNetwork) {
    for (int i = FIRST_ADDRESS; i <= LAST_ADDRESS; i++) {
      if (!jobNetwork.addresses.containsValue(i)) {
        return i;
      }
    }
    throw new EngineException(
        "a job can have at most "
            + (LAST_ADDRESS - FIRST_ADDRESS + 1)
            + " tasks at a time on one Docker engine");
  }

  /**
   * Releases an address. When the last task of a job has released its address, the network is kept
   * for another job.
   */
  void release(TaskId task) {
    synchronized (this) {
      JobNetwork jobNetwork = jobs.get(task.job());
      if (jobNetwork == null || jobNetwork.addresses.remove(task) == null) {
        return;
      }
      if (jobNetwork.addresses.isEmpty()) {
        jobs.remove(task.job());
        if (jobNetwork.network.isDone() && !jobNetwork.network.isCompletedExceptionally()) {
          returnToPool(jobNetwork.network.join());
          scheduleCleanup();
        }
      }
    }
  }

  private void removeInBackground(AddressRange range) {
    Thread.ofVirtual().start(() -> remove(range));
  }

  /**
   * Schedules the removal of unused networks after the burst, because removing a network takes the
   * engine longer than starting a container.
   */
  private synchronized void scheduleCleanup() {
    if (!closed && !cleanupScheduled && pool.size() > NetworkPool.MIN_KEPT) {
      cleanupScheduled = true;
      var _ =
          cleanupExecutor.schedule(this::cleanUp, CLEANUP_DELAY.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void cleanUp() {
    List<AddressRange> networks;
    synchronized (this) {
      cleanupScheduled = false;
      networks = closed ? List.of() : pool.removeUnneeded();
    }
    networks.forEach(this::remove);
    scheduleCleanup();
  }

  private void refillPool() {
    while (true) {
      synchronized (this) {
        if (closed || pool.size() >= MIN_SPARE) {
          return;
        }
      }
      try {
        AddressRange network = createNetwork();
        synchronized (this) {
          if (!closed && pool.add(network)) {
            continue;
          }
        }
        remove(network);
      } catch (RuntimeException e) {
        LOG.warn("failed to create a network in advance: {}", DockerProblem.of(e).message());
        return;
      }
    }
  }

  private AddressRange createNetwork() {
    RuntimeException lastFailure =
        new EngineException("all networks of " + addressRange + " are in use");
    List<AddressRange> foreignRanges = rangesInUse();
    int start = Math.floorMod(labels.serverId().hashCode(), subnetCount);
    for (int i = 0; i < subnetCount; i++) {
      AddressRange range = addressRange.subnet(PREFIX_LENGTH, (start + i) % subnetCount);
      if (foreignRanges.stream().anyMatch(range::overlaps) || !reserveRange(range)) {
        continue;
      }
      try {
        create(range);
        return range;
      } catch (RuntimeException e) {
        releaseRange(range);
        String message = DockerProblem.of(e).message();
        if (!message.contains("overlaps") && !message.contains("already exists")) {
          throw DockerProblem.of(e).toException("failed to create the job's network", e);
        }
        lastFailure = e; // another server created the network first
      }
    }
    throw EngineException.transientFailure(
        "no network is available for the job: " + lastFailure.getMessage());
  }

  private synchronized boolean reserveRange(AddressRange range) {
    return usedRanges.add(range);
  }

  private synchronized void releaseRange(AddressRange range) {
    usedRanges.remove(range);
  }

  private void create(AddressRange range) {
    docker
        .createNetworkCmd()
        .withName(labels.networkName(range))
        .withDriver("bridge")
        .withCheckDuplicate(true)
        .withLabels(labels.serverLabels())
        .withOptions(options)
        .withIpam(
            new Network.Ipam()
                .withDriver("default")
                .withConfig(
                    new Network.Ipam.Config()
                        .withSubnet(range.toString())
                        .withGateway(range.address(1))))
        .exec();
  }

  /** Returns the ranges that networks of the engine and of the host already use. */
  private List<AddressRange> rangesInUse() {
    List<AddressRange> ranges = new ArrayList<>();
    for (Network network : docker.listNetworksCmd().exec()) {
      subnet(network).ifPresent(ranges::add);
    }
    try {
      for (String line : Files.readAllLines(Path.of("/proc/net/route"))) {
        parseRoute(line).ifPresent(ranges::add);
      }
    } catch (IOException e) {
      LOG.debug("failed to read the host's routes", e);
    }
    return ranges;
  }

  /**
   * Parses a line of the routing table. The kernel prints addresses as numbers in host byte order,
   * so the last byte comes first.
   */
  private static Optional<AddressRange> parseRoute(String line) {
    String[] fields = line.trim().split("\\s+", -1);
    if (fields.length < 8
        || !fields[1].matches("[0-9A-F]{8}")
        || !fields[7].matches("[0-9A-F]{8}")) {
      return Optional.empty();
    }
    long firstAddress =
        Integer.toUnsignedLong(Integer.reverseBytes(Integer.parseUnsignedInt(fields[1], 16)));
    int prefixLength = Integer.bitCount(Integer.parseUnsignedInt(fields[7], 16));
    return prefixLength == 0
        ? Optional.empty()
        : Optional.of(new AddressRange(firstAddress, prefixLength));
  }

  private void remove(AddressRange range) {
    try {
      docker.removeNetworkCmd(labels.networkName(range)).exec();
      releaseRange(range);
    } catch (NotFoundException e) {
      releaseRange(range);
    } catch (RuntimeException e) {
      LOG.warn("failed to remove network {}; will retry: {}", range, DockerProblem.of(e).message());
      retryRemoval(range);
    }
  }

  private synchronized void retryRemoval(AddressRange range) {
    if (!closed) {
      var _ =
          cleanupExecutor.schedule(
              () -> remove(range), CLEANUP_DELAY.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  /** Removes the unused networks; the next server process adopts the networks of jobs. */
  @Override
  public void close() {
    List<AddressRange> unusedNetworks;
    synchronized (this) {
      closed = true;
      unusedNetworks = pool.removeAll();
    }
    cleanupExecutor.shutdown();
    List<Thread> removals =
        unusedNetworks.stream()
            .map(range -> Thread.ofVirtual().start(() -> remove(range)))
            .toList();
    try {
      for (Thread removal : removals) {
        removal.join();
      }
      // Waits for the end of the removals, because an incompletely removed network would remain.
      var _ = cleanupExecutor.awaitTermination(CLOSE_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
