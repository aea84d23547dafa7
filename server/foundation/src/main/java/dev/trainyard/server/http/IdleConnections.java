package dev.trainyard.server.http;

import dev.trainyard.server.limit.Network;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * Tracks every accepted connection, starting before its TLS handshake.
 *
 * <p>Closes connections that have had no request in progress for too long, whether they are silent
 * or send a request head byte by byte. A stream without data counts as a request in progress and
 * stays open.
 *
 * <p>Limits their number. A connection beyond the limit closes the connection that has been idle
 * longest, or else the one with the oldest request of a client that is not signed in. Connections
 * that changed within the last second are closed last, because a new connection is idle until its
 * first request has arrived. The new connection is closed only if all others serve signed-in users.
 * Therefore idle connections, however many, cannot block other clients.
 *
 * <p>One user can have requests on at most a quarter of the connections, and application tokens and
 * jobs of a user on at most an eighth, so that their owner can still revoke or stop them.
 * Thread-safe.
 */
final class IdleConnections {
  private static final int IDLE = 0;
  private static final int GUEST = 1;
  private static final int YOUNG = 2;
  private static final int KEPT = 3;
  private static final long YOUNG_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int MAX_CLOSING_CONNECTIONS = 16;
  private static final int MIN_USER_LIMIT = 4;

  private final long idleTimeoutNanos;
  private final LoadLimits limits;
  private final Predicate<String> shared;
  private final Map<Channel, State> states = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> addresses = new ConcurrentHashMap<>();
  private final AtomicInteger counted = new AtomicInteger();

  /** Connections with a request in progress, by user. */
  private final Map<String, Use> users = new ConcurrentHashMap<>();

  private record Use(int all, int applications) {
    Use plus(int more, boolean application) {
      return new Use(all + more, application ? applications + more : applications);
    }
  }

  private record Owner(String userId, boolean application) {}

  private static final class State {
    private final Optional<String> address;
    private final AtomicInteger requests = new AtomicInteger();
    private volatile Optional<Owner> owner = Optional.empty();
    private volatile boolean exempt;
    private volatile boolean closed;
    private volatile long since = System.nanoTime();
    private volatile boolean released;

    State(Optional<String> address) {
      this.address = address;
    }

    int rank() {
      boolean idle = requests.get() == 0;
      if (!idle && (exempt || owner.isPresent())) {
        return KEPT;
      }
      if (System.nanoTime() - since < YOUNG_NANOS) {
        return YOUNG;
      }
      return idle ? IDLE : GUEST;
    }
  }

  /**
   * @param shared whether an address is shared by many clients and has no limit of its own
   */
  IdleConnections(Duration idleTimeoutNanos, LoadLimits limits, Predicate<String> shared) {
    this.idleTimeoutNanos = idleTimeoutNanos.toNanos();
    this.limits = limits;
    this.shared = shared;
  }

  /** Registers a new connection; returns whether it may stay open. */
  boolean accepted(Channel channel) {
    State state = new State(limitedAddress(channel.remoteAddress()));
    states.put(channel, state);
    int all = counted.incrementAndGet();
    int ofAddress =
        state
            .address
            .map(key -> addresses.computeIfAbsent(key, _ -> new AtomicInteger()).incrementAndGet())
            .orElse(0);
    channel
        .closeFuture()
        .addListener(
            _ -> {
              release(state);
              states.remove(channel);
              state.closed = true;
              disown(state);
            });
    boolean stays = true;
    if (ofAddress > limits.connectionsPerAddress()) {
      stays = closeOne(channel, other -> other.address.equals(state.address));
    } else if (all > limits.connections()) {
      stays = closeOne(channel, _ -> true);
    }
    if (!stays) {
      release(state);
      states.remove(channel);
    }
    return stays;
  }

  /**
   * Returns whether there are many more connections than the limit, because some closed ones still
   * use file descriptors, or some could not be closed yet. Closes the latter now.
   */
  boolean areTooMany() {
    if (states.size() <= limits.connections() + MAX_CLOSING_CONNECTIONS) {
      return false;
    }
    for (int beyond = counted.get() - limits.connections(); beyond > 0; beyond--) {
      closeOne(null, _ -> true);
    }
    return true;
  }

  /** Closes some connections because the process has no file descriptors left. */
  void descriptorsExhausted() {
    for (int i = 0; i < 8; i++) {
      closeOne(null, _ -> true);
    }
  }

  private Optional<String> limitedAddress(SocketAddress remote) {
    if (!(remote instanceof InetSocketAddress inet) || inet.getAddress() == null) {
      return Optional.empty();
    }
    String address = inet.getAddress().getHostAddress();
    return Network.isLoopback(address) || shared.test(address)
        ? Optional.empty()
        : Optional.of(Network.of(address));
  }

  /**
   * Closes the first connection that is eligible. A channel that was just accepted cannot be closed
   * before its event loop has registered it; {@link #areTooMany} closes it later.
   *
   * @return false if no connection can be closed, now or later
   */
  private boolean closeOne(Channel newest, Predicate<State> filter) {
    Map.Entry<Channel, State> chosen = null;
    boolean unregistered = false;
    for (Map.Entry<Channel, State> entry : states.entrySet()) {
      State state = entry.getValue();
      if (entry.getKey().equals(newest)
          || state.released
          || state.rank() == KEPT
          || !filter.test(state)) {
        continue;
      }
      if (!entry.getKey().isRegistered()) {
        unregistered = true;
      } else if (chosen == null || isBefore(state, chosen.getValue())) {
        chosen = entry;
      }
    }
    if (chosen == null) {
      return unregistered;
    }
    release(chosen.getValue());
    closeNow(chosen.getKey());
    return true;
  }

  /**
   * Bypasses the pipeline, in which TLS waits for seconds until the client reads its last bytes.
   */
  static void closeNow(Channel channel) {
    channel.eventLoop().execute(() -> channel.unsafe().close(channel.newPromise()));
  }

  private static boolean isBefore(State one, State other) {
    int ranks = Integer.compare(one.rank(), other.rank());
    return ranks == 0 ? one.since - other.since < 0 : ranks < 0;
  }

  private void release(State state) {
    synchronized (state) {
      if (state.released) {
        return;
      }
      state.released = true;
    }
    counted.decrementAndGet();
    state.address.ifPresent(
        key -> addresses.computeIfPresent(key, (_, n) -> n.decrementAndGet() <= 0 ? null : n));
  }

  void requestBegins(Channel channel) {
    State state = states.get(channel);
    if (state != null) {
      state.since = System.nanoTime();
      state.requests.incrementAndGet();
    }
  }

  /**
   * Reports that the request in progress belongs to a signed-in user.
   *
   * @return false if the user has requests on too many connections; this one is not counted then
   */
  boolean signedIn(Channel channel, String userId, boolean application) {
    State state = states.get(channel);
    if (state == null) {
      return true;
    }
    Owner owner = new Owner(userId, application);
    synchronized (state) {
      if (state.closed || state.owner.isPresent()) {
        return true;
      }
      if (!take(owner)) {
        return false;
      }
      state.owner = Optional.of(owner);
      return true;
    }
  }

  /** Reports that the request in progress is exempt from limits and counts for no user. */
  void exempt(Channel channel) {
    State state = states.get(channel);
    if (state != null) {
      state.exempt = true;
    }
  }

  private boolean take(Owner owner) {
    int userLimit = Math.max(MIN_USER_LIMIT, limits.connections() / 4);
    boolean[] taken = new boolean[1];
    users.compute(
        owner.userId(),
        (_, known) -> {
          Use use = known == null ? new Use(0, 0) : known;
          Use more = use.plus(1, owner.application());
          taken[0] = more.all() <= userLimit && more.applications() <= Math.max(1, userLimit / 2);
          return taken[0] ? more : known;
        });
    return taken[0];
  }

  private void disown(State state) {
    synchronized (state) {
      state.owner.ifPresent(
          owner ->
              users.computeIfPresent(
                  owner.userId(),
                  (_, use) -> use.all() == 1 ? null : use.plus(-1, owner.application())));
      state.owner = Optional.empty();
    }
  }

  void requestEnds(Channel channel) {
    State state = states.get(channel);
    if (state != null) {
      disown(state);
      state.exempt = false;
      state.since = System.nanoTime();
      state.requests.decrementAndGet();
    }
  }

  int open() {
    return states.size();
  }

  /** Returns the number of users with a request in progress. */
  int users() {
    return users.size();
  }

  void closeStale() {
    long now = System.nanoTime();
    states.forEach(
        (channel, state) -> {
          if (state.requests.get() == 0 && now - state.since > idleTimeoutNanos) {
            var _ = channel.close();
          }
        });
  }
}
