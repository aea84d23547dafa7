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
 * Chooses ports for tasks. Remembers which are given, so that nearly every choice holds; whether it
 * holds is said by the rows of {@link PortStore}, in the transaction that stores the attempt. A
 * port is also tried on its machine before anybody gets it, and one that answers is left alone for
 * a while. Thread-safe.
 */
final class PortAllocator {
  private static final Duration MEMORY = Duration.ofMinutes(1);

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

  /** What came of a choice. */
  sealed interface Choice {
    /**
     * @param ports in the order of the placements
     */
    record Chosen(List<TaskPorts> ports) implements Choice {}

    /**
     * Not all ports can be had now.
     *
     * @param wanted the port that is missing, if it is a certain one
     */
    record Missing(Message why, Optional<NodePort> wanted) implements Choice {}
  }

  /** Of one machine. */
  private final class Ports {
    private final BitSet given = new BitSet();

    /** Ports that a program has which is none of ours, and until when that is believed. */
    private final Map<Integer, Instant> foreign = new HashMap<>();

    private int next = range.first();

    boolean isTaken(int port) {
      return given.get(port) || isForeign(port);
    }

    private boolean isForeign(int port) {
      Instant until = foreign.get(port);
      if (until == null) {
        return false;
      }
      Instant now = clock.instant();
      // Not longer than meant, though the clock was set back.
      if (now.isBefore(until) && !until.isAfter(now.plus(MEMORY))) {
        return true;
      }
      foreign.remove(port);
      return false;
    }

    /** Goes round, so that a port rests before it is given again. */
    Optional<Integer> take() {
      for (int i = 0; i < range.size(); i++) {
        int port = next;
        next = next == range.last() ? range.first() : next + 1;
        if (!isTaken(port)) {
          given.set(port);
          return Optional.of(port);
        }
      }
      return Optional.empty();
    }
  }

  private synchronized Ports ports(String node) {
    return nodes.computeIfAbsent(node, _ -> new Ports());
  }

  /** A choice under way: all that it took is given back if it fails. */
  private final class Chooser {
    private final Set<NodePort> taken = new LinkedHashSet<>();

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
        byLabel.computeIfAbsent(label, _ -> List.of(free(node)));
      }
      if (master) {
        byLabel.computeIfAbsent(TaskPorts.MASTER, _ -> List.of(free(node)));
      }
      return new TaskPorts(byLabel);
    }

    private List<Integer> of(PortRequest request, String node) {
      List<Integer> chosen = new ArrayList<>();
      for (int i = 0; i < request.count(); i++) {
        chosen.add(request.beginAt() > 0 ? certain(node, request.beginAt() + i) : free(node));
      }
      return chosen;
    }

    private int certain(String node, int port) {
      NodePort wanted = new NodePort(node, port);
      if (!rules.allows(port)) {
        // Accepted by an earlier release, or before the settings were changed.
        Message why = Message.of("wait.port-outside", "port", port);
        throw new MissingException(new Choice.Missing(why, Optional.of(wanted)));
      }
      boolean ours = taken.contains(wanted);
      if (ours || !give(wanted)) {
        String code = ours ? "wait.port-twice" : "wait.port";
        Message why = Message.of(code, "port", port).with("node", node);
        throw new MissingException(new Choice.Missing(why, Optional.of(wanted)));
      }
      if (!engine.isPortFree(node, port)) {
        Message why = Message.of("wait.port", "port", port).with("node", node);
        throw new MissingException(new Choice.Missing(why, Optional.of(wanted)));
      }
      return port;
    }

    private boolean give(NodePort port) {
      synchronized (PortAllocator.this) {
        if (ports(port.node()).given.get(port.port())) {
          return false;
        }
        ports(port.node()).given.set(port.port());
      }
      taken.add(port);
      return true;
    }

    private int free(String node) {
      while (true) {
        Optional<Integer> port;
        synchronized (PortAllocator.this) {
          port = ports(node).take();
        }
        if (port.isEmpty()) {
          throw new MissingException(noneLeft(node));
        }
        NodePort chosen = new NodePort(node, port.get());
        if (engine.isPortFree(node, port.get())) {
          taken.add(chosen);
          return port.get();
        }
        foreign(chosen);
      }
    }
  }

  /** Calls the engine, so not to be used within a transaction. */
  Choice choose(JobSpec spec, List<TaskPlacement> placements) {
    Map<String, RoleSpec> roles = new HashMap<>();
    spec.roles().forEach(role -> roles.put(role.name(), role));
    Optional<Choice.Missing> tooMany = tooMany(roles, placements);
    if (tooMany.isPresent()) {
      return tooMany.get();
    }
    Chooser chooser = new Chooser();
    List<TaskPorts> chosen = new ArrayList<>();
    boolean done = false;
    try {
      for (TaskPlacement place : placements) {
        boolean master = Rendezvous.isMaster(spec, place.role(), place.index());
        chosen.add(chooser.of(roles.get(place.role()), place.node(), master));
      }
      done = true;
      return new Choice.Chosen(chosen);
    } catch (Chooser.MissingException e) {
      return e.missing;
    } finally {
      if (!done) {
        chooser.taken.forEach(this::release);
      }
    }
  }

  /** Nobody tries all the ports of a machine for a job that wants more than there are. */
  private Optional<Choice.Missing> tooMany(
      Map<String, RoleSpec> roles, List<TaskPlacement> placements) {
    Map<String, Long> wanted = new HashMap<>();
    for (TaskPlacement place : placements) {
      long count = 2; // for ssh and http
      for (PortRequest request : roles.get(place.role()).ports()) {
        boolean usual =
            request.label().equals(TaskPorts.SSH) || request.label().equals(TaskPorts.HTTP);
        count += (request.beginAt() > 0 ? 0 : request.count()) - (usual ? 1 : 0);
      }
      if (wanted.merge(place.node(), count, Long::sum) > range.size()) {
        return Optional.of(noneLeft(place.node()));
      }
    }
    return Optional.empty();
  }

  private Choice.Missing noneLeft(String node) {
    Message why = Message.of("wait.ports", "node", node).with("from", range.first());
    return new Choice.Missing(why.with("to", range.last()), Optional.empty());
  }

  /** A choice that nobody uses. */
  synchronized void release(List<TaskPlacement> placements, List<TaskPorts> chosen) {
    for (int i = 0; i < placements.size(); i++) {
      chosen.get(i).all().forEach(ports(placements.get(i).node()).given::clear);
    }
  }

  private synchronized void release(NodePort port) {
    ports(port.node()).given.clear(port.port());
  }

  /** A program has this port which is none of ours; nobody gets it for a while. */
  synchronized void foreign(NodePort port) {
    ports(port.node()).given.clear(port.port());
    ports(port.node()).foreign.put(port.port(), clock.instant().plus(MEMORY));
  }

  /** These tasks have their ports already. */
  synchronized void adopt(Collection<Task> tasks) {
    for (Task task : tasks) {
      if (task.end().isEmpty()) {
        task.ports().all().forEach(ports(task.node()).given::set);
      }
    }
  }

  /** These tasks are over, and that is durable. */
  synchronized void release(Collection<Task> tasks) {
    for (Task task : tasks) {
      task.ports().all().forEach(ports(task.node()).given::clear);
    }
  }
}
