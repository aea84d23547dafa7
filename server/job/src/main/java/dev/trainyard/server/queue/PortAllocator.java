package dev.trainyard.server.queue;

import dev.trainyard.engine.Engine;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import dev.trainyard.model.PortRange;
import dev.trainyard.model.PortRequest;
import dev.trainyard.model.RoleSpec;
import dev.trainyard.scheduler.TaskPlacement;
import dev.trainyard.server.job.Task;
import dev.trainyard.server.job.TaskPorts;
import dev.trainyard.server.queue.PortStore.NodePort;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Chooses ports for tasks. Keeps the allocated ports in memory, so that almost every choice is
 * valid. A choice becomes final when the transaction that stores the attempt also inserts the rows
 * of {@link PortStore}. Before a port is chosen, it is also probed on its node; a port that is in
 * use is skipped for {@link #SKIP_TIME}. Thread-safe.
 */
final class PortAllocator {
  private static final Duration SKIP_TIME = Duration.ofMinutes(1);

  private final PortRules rules;
  private final PortRange range;
  private final Engine engine;
  private final InstantSource clock;
  private final Map<String, Ports> nodes = new HashMap<>();

  PortAllocator(PortRules rules, Engine engine, InstantSource clock) {
    this.rules = rules;
    this.range = rules.range();
    this.engine = engine;
    this.clock = clock;
  }

  /** Result of a choice. */
  sealed interface Choice {
    /**
     * @param ports in the order of the placements
     */
    record Chosen(List<TaskPorts> ports) implements Choice {}

    /**
     * Not all ports are available now.
     *
     * @param requestedPort the unavailable port, if a specific one was requested
     */
    record Missing(Message reason, Optional<NodePort> requestedPort) implements Choice {}
  }

  /** The ports of one node. */
  private final class Ports {
    private final BitSet allocated = new BitSet();

    /**
     * Ports that programs outside the platform use, with the time until which the ports are
     * skipped.
     */
    private final Map<Integer, Instant> foreign = new HashMap<>();

    private int next = range.first();

    boolean isUnavailable(int port) {
      return allocated.get(port) || isForeign(port);
    }

    private boolean isForeign(int port) {
      Instant until = foreign.get(port);
      if (until == null) {
        return false;
      }
      Instant now = clock.instant();
      // The second condition limits the waiting time if the clock was set back.
      if (now.isBefore(until) && !until.isAfter(now.plus(SKIP_TIME))) {
        return true;
      }
      foreign.remove(port);
      return false;
    }

    /** Allocates ports in rotation, so that a released port is not reused immediately. */
    Optional<Integer> allocateNext() {
      for (int i = 0; i < range.size(); i++) {
        int port = next;
        next = next == range.last() ? range.first() : next + 1;
        if (!isUnavailable(port)) {
          allocated.set(port);
          return Optional.of(port);
        }
      }
      return Optional.empty();
    }
  }

  private synchronized Ports ports(String node) {
    return nodes.computeIfAbsent(node, _ -> new Ports());
  }

  /** A choice in progress. If the choice fails, the ports that it has allocated are released. */
  private final class Chooser {
    private final Set<NodePort> reservedPorts = new LinkedHashSet<>();

    private static final class MissingException extends RuntimeException {
      private final transient Choice.Missing missing;

      MissingException(Choice.Missing missing) {
        this.missing = missing;
      }
    }

    TaskPorts of(RoleSpec role, String node, boolean master) {
      Map<String, List<Integer>> byLabel = new LinkedHashMap<>();
      for (PortRequest request : role.ports()) {
        byLabel.put(request.label(), of(request, node));
      }
      for (String label : List.of(TaskPorts.SSH, TaskPorts.HTTP)) {
        byLabel.computeIfAbsent(label, _ -> List.of(allocateFree(node)));
      }
      if (master) {
        byLabel.computeIfAbsent(TaskPorts.MASTER, _ -> List.of(allocateFree(node)));
      }
      return new TaskPorts(byLabel);
    }

    private List<Integer> of(PortRequest request, String node) {
      List<Integer> chosen = new ArrayList<>();
      for (int i = 0; i < request.count(); i++) {
        chosen.add(
            request.beginAt() > 0 ? fixedPort(node, request.beginAt() + i) : allocateFree(node));
      }
      return chosen;
    }

    private int fixedPort(String node, int port) {
      NodePort requested = new NodePort(node, port);
      if (!rules.allows(port)) {
        // The job was accepted by an earlier release, or before the settings were changed.
        Message reason = Message.of("wait.port-outside", "port", port);
        throw new MissingException(new Choice.Missing(reason, Optional.of(requested)));
      }
      boolean requestedTwice = reservedPorts.contains(requested);
      if (requestedTwice || !reserve(requested)) {
        String code = requestedTwice ? "wait.port-twice" : "wait.port";
        Message reason = Message.of(code, "port", port).with("node", node);
        throw new MissingException(new Choice.Missing(reason, Optional.of(requested)));
      }
      if (!engine.isPortFree(node, port)) {
        Message reason = Message.of("wait.port", "port", port).with("node", node);
        throw new MissingException(new Choice.Missing(reason, Optional.of(requested)));
      }
      return port;
    }

    private boolean reserve(NodePort port) {
      synchronized (PortAllocator.this) {
        if (ports(port.node()).allocated.get(port.port())) {
          return false;
        }
        ports(port.node()).allocated.set(port.port());
      }
      reservedPorts.add(port);
      return true;
    }

    private int allocateFree(String node) {
      while (true) {
        Optional<Integer> port;
        synchronized (PortAllocator.this) {
          port = ports(node).allocateNext();
        }
        if (port.isEmpty()) {
          throw new MissingException(noPortsLeft(node));
        }
        NodePort chosen = new NodePort(node, port.get());
        if (engine.isPortFree(node, port.get())) {
          reservedPorts.add(chosen);
          return port.get();
        }
        markForeign(chosen);
      }
    }
  }

  /**
   * Chooses ports for tasks. Must not be called within a transaction, because it calls the engine.
   */
  Choice choose(JobSpec spec, List<TaskPlacement> placements) {
    Map<String, RoleSpec> roles = new HashMap<>();
    spec.roles().forEach(role -> roles.put(role.name(), role));
    Optional<Choice.Missing> tooMany = tooMany(roles, placements);
    if (tooMany.isPresent()) {
      return tooMany.get();
    }
    Chooser chooser = new Chooser();
    List<TaskPorts> chosen = new ArrayList<>();
    boolean complete = false;
    try {
      for (TaskPlacement placement : placements) {
        boolean master = Rendezvous.isMaster(spec, placement.role(), placement.index());
        chosen.add(chooser.of(roles.get(placement.role()), placement.node(), master));
      }
      complete = true;
      return new Choice.Chosen(chosen);
    } catch (Chooser.MissingException e) {
      return e.missing;
    } finally {
      if (!complete) {
        chooser.reservedPorts.forEach(this::release);
      }
    }
  }

  /**
   * Returns Missing if a job requests more ports of a node than exist. This avoids probing all
   * ports in vain.
   */
  private Optional<Choice.Missing> tooMany(
      Map<String, RoleSpec> roles, List<TaskPlacement> placements) {
    Map<String, Long> countByNode = new HashMap<>();
    for (TaskPlacement placement : placements) {
      long count = 2; // for ssh and http
      for (PortRequest request : roles.get(placement.role()).ports()) {
        boolean implicit =
            request.label().equals(TaskPorts.SSH) || request.label().equals(TaskPorts.HTTP);
        count += (request.beginAt() > 0 ? 0 : request.count()) - (implicit ? 1 : 0);
      }
      if (countByNode.merge(placement.node(), count, Long::sum) > range.size()) {
        return Optional.of(noPortsLeft(placement.node()));
      }
    }
    return Optional.empty();
  }

  private Choice.Missing noPortsLeft(String node) {
    Message reason = Message.of("wait.ports", "node", node).with("from", range.first());
    return new Choice.Missing(reason.with("to", range.last()), Optional.empty());
  }

  /** Releases the ports of a choice that is not used. */
  synchronized void release(List<TaskPlacement> placements, List<TaskPorts> chosen) {
    for (int i = 0; i < placements.size(); i++) {
      chosen.get(i).all().forEach(ports(placements.get(i).node()).allocated::clear);
    }
  }

  private synchronized void release(NodePort port) {
    ports(port.node()).allocated.clear(port.port());
  }

  /**
   * Records that a program outside the platform uses a port. The port is skipped for {@link
   * #SKIP_TIME}.
   */
  synchronized void markForeign(NodePort port) {
    ports(port.node()).allocated.clear(port.port());
    ports(port.node()).foreign.put(port.port(), clock.instant().plus(SKIP_TIME));
  }

  /** Records the ports of unfinished tasks that a previous server process placed. */
  synchronized void adopt(Collection<Task> tasks) {
    for (Task task : tasks) {
      if (task.end().isEmpty()) {
        task.ports().all().forEach(ports(task.node()).allocated::set);
      }
    }
  }

  /** Releases the ports of finished tasks, after their ends have been committed. */
  synchronized void release(Collection<Task> tasks) {
    for (Task task : tasks) {
      task.ports().all().forEach(ports(task.node()).allocated::clear);
    }
  }
}
