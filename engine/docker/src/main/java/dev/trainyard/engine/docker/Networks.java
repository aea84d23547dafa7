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
 * some empty networks are kept for the next jobs. The network of a job is recorded with its tasks.
 * Thread-safe.
 */
final class Networks implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Networks.class);
  private static final int BITS = 24;

  /** The first address is that of the network, the second that of the host in it. */
  private static final int FIRST_ADDRESS = 2;

  private static final int LAST_ADDRESS = 254;
  private static final int RESERVE = 2;

  /** A burst of jobs within this time reuses the networks of the previous one. */
  private static final Duration LINGER = Duration.ofMinutes(1);

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final DockerClient docker;
  private final Labels labels;
  private final AddressRange all;
  private final int parts;
  private final Map<String, String> options;
  private final Map<JobId, Claimed> jobs = new HashMap<>();
  private final NetworkPool spare = new NetworkPool();
  private final ScheduledThreadPoolExecutor clearing =
      new ScheduledThreadPoolExecutor(
          1, Thread.ofPlatform().daemon().name("docker-networks").factory());

  /** Ranges that a network uses, or that are about to be created or removed. */
  private final Set<AddressRange> taken = new HashSet<>();

  private boolean closed;
  private boolean clearingSoon;

  /** The network of a job, once created, and the addresses of its tasks. */
  private static final class Claimed {
    final CompletableFuture<AddressRange> network = new CompletableFuture<>();
    final Map<TaskId, Integer> addresses = new HashMap<>();
  }

  /** The address of a task. */
  record Address(String network, String address) {}

  Networks(DockerConnection connection, Labels labels, AddressRange all) {
    this.docker = connection.client();
    // Docker isolates networks by default.
    this.options = connection.isPodman() ? Map.of("isolate", "true") : Map.of();
    this.labels = labels;
    this.all = all;
    this.parts = all.parts(BITS) - (connection.isPodman() && reserved(all).isPresent() ? 1 : 0);
    clearing.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    if (all.parts(BITS) == 0) {
      throw new EngineException(all + " is too small for networks of " + (1 << (32 - BITS)));
    }
  }

  /**
   * Returns the range that is never used for a job, for Podman, which needs a permanent address of
   * the host.
   */
  static Optional<AddressRange> reserved(AddressRange all) {
    int parts = all.parts(BITS);
    return parts < 2 ? Optional.empty() : Optional.of(all.part(BITS, parts - 1));
  }

  /**
   * Restores the networks of an earlier server process; called once, before any address is
   * allocated.
   *
   * @param tasks all reserved tasks
   */
  synchronized void adopt(List<StoredTask> tasks) {
    Map<String, AddressRange> known = new HashMap<>();
    for (Network network : own()) {
      subnet(network).ifPresent(range -> known.put(network.getName(), range));
    }
    for (StoredTask task : tasks) {
      AddressRange range = known.get(task.network());
      if (range == null) {
        continue; // removed externally; the start reports it
      }
      Claimed claimed = jobs.computeIfAbsent(task.spec().id().job(), _ -> new Claimed());
      claimed.network.complete(range);
      claimed.addresses.put(task.spec().id(), offset(range, task.address()));
      taken.add(range);
    }
    for (AddressRange range : known.values()) {
      if (taken.add(range) && !spare.add(range)) {
        removeLater(range);
      }
    }
    clearSoon();
    keepSome();
  }

  private static int offset(AddressRange range, String address) {
    return (int) (AddressRange.parse(address + "/32").first() - range.first());
  }

  private List<Network> own() {
    return docker.listNetworksCmd().exec().stream()
        .filter(network -> network.getLabels() != null)
        .filter(network -> labels.server().equals(network.getLabels().get(Labels.SERVER)))
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
  Address take(TaskId task) {
    Claimed claimed;
    int offset;
    boolean first;
    Optional<AddressRange> ready = Optional.empty();
    synchronized (this) {
      claimed = jobs.computeIfAbsent(task.job(), _ -> new Claimed());
      first = claimed.addresses.isEmpty() && !claimed.network.isDone();
      // A task whose container has to be created again keeps its address.
      Integer before = claimed.addresses.get(task);
      offset = before == null ? free(claimed) : before;
      claimed.addresses.put(task, offset);
      if (first) {
        ready = spare.take();
      }
    }
    try {
      if (first) {
        claimed.network.complete(ready.filter(this::exists).orElseGet(this::allocate));
      }
      AddressRange range = claimed.network.join();
      return new Address(labels.networkName(range), range.address(offset));
    } catch (CompletionException e) {
      release(task);
      throw new EngineException("failed to create the job's network", e);
    } catch (RuntimeException e) {
      claimed.network.completeExceptionally(e);
      release(task);
      throw e;
    } finally {
      if (first) {
        Thread.ofVirtual().start(this::keepSome);
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
      unclaim(range);
      return false;
    } catch (RuntimeException e) {
      putBack(range); // the engine is unavailable, but the network most likely exists
      throw e;
    }
  }

  private synchronized void putBack(AddressRange range) {
    if (closed || !spare.add(range)) {
      removeLater(range);
    }
  }

  private static int free(Claimed claimed) {
    for (int i = FIRST_ADDRESS; i <= LAST_ADDRESS; i++) {
      if (!claimed.addresses.containsValue(i)) {
        return i;
      }
    }
    throw new EngineException(
        "a job can have at most "
            + (LAST_ADDRESS - FIRST_ADDRESS + 1)
            + " tasks at a time on one Docker engine");
  }

  /**
   * Releases an address. When the last task of a job is gone, its network is kept for another job.
   */
  void release(TaskId task) {
    synchronized (this) {
      Claimed claimed = jobs.get(task.job());
      if (claimed == null || claimed.addresses.remove(task) == null) {
        return;
      }
      if (claimed.addresses.isEmpty()) {
        jobs.remove(task.job());
        if (claimed.network.isDone() && !claimed.network.isCompletedExceptionally()) {
          putBack(claimed.network.join());
          clearSoon();
        }
      }
    }
  }

  private void removeLater(AddressRange range) {
    Thread.ofVirtual().start(() -> remove(range));
  }

  /**
   * Schedules the removal of unused networks after the burst, because removing one takes the engine
   * longer than a start.
   */
  private synchronized void clearSoon() {
    if (!closed && !clearingSoon && spare.size() > NetworkPool.FEW) {
      clearingSoon = true;
      var _ = clearing.schedule(this::clear, LINGER.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void clear() {
    List<AddressRange> unneeded;
    synchronized (this) {
      clearingSoon = false;
      unneeded = closed ? List.of() : spare.unneeded();
    }
    unneeded.forEach(this::remove);
    clearSoon();
  }

  private void keepSome() {
    while (true) {
      synchronized (this) {
        if (closed || spare.size() >= RESERVE) {
          return;
        }
      }
      try {
        AddressRange allocated = allocate();
        synchronized (this) {
          if (!closed && spare.add(allocated)) {
            continue;
          }
        }
        remove(allocated);
      } catch (RuntimeException e) {
        LOG.warn("failed to create a network in advance: {}", DockerProblem.of(e).words());
        return;
      }
    }
  }

  private AddressRange allocate() {
    RuntimeException last = new EngineException("all networks of " + all + " are in use");
    List<AddressRange> others = others();
    int start = Math.floorMod(labels.server().hashCode(), parts);
    for (int i = 0; i < parts; i++) {
      AddressRange range = all.part(BITS, (start + i) % parts);
      if (others.stream().anyMatch(range::overlaps) || !claim(range)) {
        continue;
      }
      try {
        create(range);
        return range;
      } catch (RuntimeException e) {
        unclaim(range);
        String words = DockerProblem.of(e).words();
        if (!words.contains("overlaps") && !words.contains("already exists")) {
          throw DockerProblem.of(e).exception("failed to create the job's network", e);
        }
        last = e; // another server created it first
      }
    }
    throw EngineException.passing("no network is available for the job: " + last.getMessage());
  }

  private synchronized boolean claim(AddressRange range) {
    return taken.add(range);
  }

  private synchronized void unclaim(AddressRange range) {
    taken.remove(range);
  }

  private void create(AddressRange range) {
    docker
        .createNetworkCmd()
        .withName(labels.networkName(range))
        .withDriver("bridge")
        .withCheckDuplicate(true)
        .withLabels(labels.own())
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

  /** Returns the ranges that other networks of the engine and of the host use already. */
  private List<AddressRange> others() {
    List<AddressRange> found = new ArrayList<>();
    for (Network network : docker.listNetworksCmd().exec()) {
      subnet(network).ifPresent(found::add);
    }
    try {
      for (String line : Files.readAllLines(Path.of("/proc/net/route"))) {
        route(line).ifPresent(found::add);
      }
    } catch (IOException e) {
      LOG.debug("failed to read the host's routes", e);
    }
    return found;
  }

  /**
   * Parses a route; the kernel prints addresses as numbers in host byte order: the last byte first.
   */
  private static Optional<AddressRange> route(String line) {
    String[] words = line.trim().split("\\s+", -1);
    if (words.length < 8 || !words[1].matches("[0-9A-F]{8}") || !words[7].matches("[0-9A-F]{8}")) {
      return Optional.empty();
    }
    long first =
        Integer.toUnsignedLong(Integer.reverseBytes(Integer.parseUnsignedInt(words[1], 16)));
    int bits = Integer.bitCount(Integer.parseUnsignedInt(words[7], 16));
    return bits == 0 ? Optional.empty() : Optional.of(new AddressRange(first, bits));
  }

  private void remove(AddressRange range) {
    try {
      docker.removeNetworkCmd(labels.networkName(range)).exec();
      unclaim(range);
    } catch (NotFoundException e) {
      unclaim(range);
    } catch (RuntimeException e) {
      LOG.warn("failed to remove network {}; will retry: {}", range, DockerProblem.of(e).words());
      removeAgain(range);
    }
  }

  private synchronized void removeAgain(AddressRange range) {
    if (!closed) {
      var _ = clearing.schedule(() -> remove(range), LINGER.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  /** Removes the networks without a job; the next server process restores the others. */
  @Override
  public void close() {
    List<AddressRange> left;
    synchronized (this) {
      closed = true;
      left = spare.takeAll();
    }
    clearing.shutdown();
    List<Thread> removals =
        left.stream().map(range -> Thread.ofVirtual().start(() -> remove(range))).toList();
    try {
      for (Thread removal : removals) {
        removal.join();
      }
      // Waits, because an incompletely removed network would remain.
      var _ = clearing.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
