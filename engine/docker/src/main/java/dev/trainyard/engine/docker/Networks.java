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
 * A network for each job: its tasks reach each other, and nobody else's. Making and removing one
 * takes a good part of a container's start, so some that are empty are kept for the next jobs.
 * Which job has which is known from its tasks' records. Thread-safe.
 */
final class Networks implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Networks.class);
  private static final int BITS = 24;

  /** The first is the network's name, the second the machine's address in it. */
  private static final int FIRST_ADDRESS = 2;

  private static final int LAST_ADDRESS = 254;
  private static final int RESERVE = 2;

  /** A rush that comes again within this time finds the networks of the one before. */
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

  /** Parts that a network has, or that somebody is about to make or to remove. */
  private final Set<AddressRange> taken = new HashSet<>();

  private boolean closed;
  private boolean clearingSoon;

  /** A job's network, once it is made, and its tasks' addresses. */
  private static final class Claimed {
    final CompletableFuture<AddressRange> network = new CompletableFuture<>();
    final Map<TaskId, Integer> addresses = new HashMap<>();
  }

  /** Where a task is. */
  record Address(String network, String address) {}

  Networks(DockerConnection connection, Labels labels, AddressRange all) {
    this.docker = connection.client();
    // Docker keeps networks apart by itself.
    this.options = connection.isPodman() ? Map.of("isolate", "true") : Map.of();
    this.labels = labels;
    this.all = all;
    this.parts = all.parts(BITS) - (connection.isPodman() && reserved(all).isPresent() ? 1 : 0);
    clearing.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    if (all.parts(BITS) == 0) {
      throw new EngineException(all + " is too small for networks of " + (1 << (32 - BITS)));
    }
  }

  /** The part that is no job's where the machine needs an address that lasts. */
  static Optional<AddressRange> reserved(AddressRange all) {
    int parts = all.parts(BITS);
    return parts < 2 ? Optional.empty() : Optional.of(all.part(BITS, parts - 1));
  }

  /**
   * Finds again what an earlier server made; called once, before anything is taken.
   *
   * @param tasks all that are reserved
   */
  synchronized void adopt(List<StoredTask> tasks) {
    Map<String, AddressRange> known = new HashMap<>();
    for (Network network : own()) {
      subnet(network).ifPresent(range -> known.put(network.getName(), range));
    }
    for (StoredTask task : tasks) {
      AddressRange range = known.get(task.network());
      if (range == null) {
        continue; // removed by somebody: a start says so
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

  /** A place in the job's network, which is made for its first task. */
  Address take(TaskId task) {
    Claimed claimed;
    int offset;
    boolean first;
    Optional<AddressRange> ready = Optional.empty();
    synchronized (this) {
      claimed = jobs.computeIfAbsent(task.job(), _ -> new Claimed());
      first = claimed.addresses.isEmpty() && !claimed.network.isDone();
      // The same for a task whose container has to be made anew.
      Integer before = claimed.addresses.get(task);
      offset = before == null ? free(claimed) : before;
      claimed.addresses.put(task, offset);
      if (first) {
        ready = spare.take();
      }
    }
    try {
      if (first) {
        claimed.network.complete(ready.filter(this::isThere).orElseGet(this::make));
      }
      AddressRange range = claimed.network.join();
      return new Address(labels.networkName(range), range.address(offset));
    } catch (CompletionException e) {
      release(task);
      throw new EngineException("the job's network could not be made", e);
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

  /** Somebody may have removed it: an administrator who cleans up takes what is empty. */
  private boolean isThere(AddressRange range) {
    try {
      docker.inspectNetworkCmd().withNetworkId(labels.networkName(range)).exec();
      return true;
    } catch (NotFoundException e) {
      unclaim(range);
      return false;
    } catch (RuntimeException e) {
      putBack(range); // the engine is away, and the network most likely is not
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

  /** The job's network is kept for another one when its last task is gone. */
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

  /** Removing takes the engine longer than a start: it is done when the rush is over. */
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
        AddressRange made = make();
        synchronized (this) {
          if (!closed && spare.add(made)) {
            continue;
          }
        }
        remove(made);
      } catch (RuntimeException e) {
        LOG.warn("no network could be made in advance: {}", DockerProblem.of(e).words());
        return;
      }
    }
  }

  private AddressRange make() {
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
          throw DockerProblem.of(e).exception("the job's network can't be made", e);
        }
        last = e; // another server was faster
      }
    }
    throw EngineException.passing("no network is left for the job: " + last.getMessage());
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

  /** What other networks of the engine and of the machine use already. */
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
      LOG.debug("the machine's routes can't be read", e);
    }
    return found;
  }

  /** The kernel prints addresses as the numbers they are in its memory: the last byte first. */
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
      LOG.warn("network {} can't be removed now: {}", range, DockerProblem.of(e).words());
      removeAgain(range);
    }
  }

  private synchronized void removeAgain(AddressRange range) {
    if (!closed) {
      var _ = clearing.schedule(() -> remove(range), LINGER.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  /** Those without a job go; the others are found again by the next server. */
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
      // One that is half removed would stay.
      var _ = clearing.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
