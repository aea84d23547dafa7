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
 * <p>Closes connections that have had no request in progress for too long, whether they send
 * nothing or send a request head byte by byte. A connection stays open while it has a request in
 * progress, even a stream that currently has no data.
 *
 * <p>Limits the number of connections. If a new connection exceeds the limit, the connection that
 * has been idle longest is closed, or if none is idle, the connection with the oldest request of a
 * client that is not signed in. Connections that were opened within the last second, or whose
 * request began or ended within it, are closed last, because a new connection is idle until its
 * first request has arrived. The new connection itself is closed only if all others serve signed-in
 * users. Therefore no number of idle connections can block other clients.
 *
 * <p>A user can have requests on at most a quarter of the connections. The application tokens and
 * jobs of a user can have requests on at most an eighth, so that the user can still revoke these
 * tokens and stop these jobs. Thread-safe.
 */
final class IdleConnections {
  private static final int IDLE = 0;
  private static final int GUEST = 1;
  private static final int RECENTLY_CHANGED = 2;
  private static final int NEVER_CLOSED = 3;
  private static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int MAX_CLOSING_CONNECTIONS = 16;
  private static final int MIN_USER_LIMIT = 4;

  private final long idleTimeoutNanos;
  private final LoadLimits limits;
  private final Predicate<String> isShared;
  private final Map<Channel, State> states = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> countByAddress = new ConcurrentHashMap<>();
  private final AtomicInteger connectionCount = new AtomicInteger();

  /** Connections with a request in progress, by user. */
  private final Map<String, UserConnections> connectionsByUser = new ConcurrentHashMap<>();

  private record UserConnections(int all, int applications) {
    UserConnections plus(int change, boolean application) {
      return new UserConnections(all + change, application ? applications + change : applications);
    }
  }

  private record Owner(String userId, boolean application) {}

  private static final class State {
    private final Optional<String> address;
    private final AtomicInteger requests = new AtomicInteger();
    private volatile Optional<Owner> owner = Optional.empty();
    private volatile boolean exempt;
    private volatile boolean closed;
    private volatile long lastChangeNanos = System.nanoTime();
    private volatile boolean released;

    State(Optional<String> address) {
      this.address = address;
    }

    int rank() {
      boolean idle = requests.get() == 0;
      if (!idle && (exempt || owner.isPresent())) {
        return NEVER_CLOSED;
      }
      if (System.nanoTime() - lastChangeNanos < RECENT_NANOS) {
        return RECENTLY_CHANGED;
      }
      return idle ? IDLE : GUEST;
    }
  }

  /**
   * @param isShared whether an address is shared by many clients, so that the limit per address
   *     does not apply to it
   */
  IdleConnections(Duration idleTimeout, LoadLimits limits, Predicate<String> isShared) {
    this.idleTimeoutNanos = idleTimeout.toNanos();
    this.limits = limits;
    this.isShared = isShared;
  }

  /** Registers a new connection; returns whether it may stay open. */
  boolean tryAccept(Channel channel) {
    State state = new State(limitedAddress(channel.remoteAddress()));
    states.put(channel, state);
    int totalCount = connectionCount.incrementAndGet();
    int addressCount =
        state
            .address
            .map(
                key ->
                    countByAddress.computeIfAbsent(key, _ -> new AtomicInteger()).incrementAndGet())
            .orElse(0);
    channel
        .closeFuture()
        .addListener(
            _ -> {
              release(state);
              states.remove(channel);
              state.closed = true;
              removeOwner(state);
            });
    boolean staysOpen = true;
    if (addressCount > limits.connectionsPerAddress()) {
      staysOpen = closeOne(channel, other -> other.address.equals(state.address));
    } else if (totalCount > limits.connections()) {
      staysOpen = closeOne(channel, _ -> true);
    }
    if (!staysOpen) {
      release(state);
      states.remove(channel);
    }
    return staysOpen;
  }

  /**
   * Returns whether there are many more connections than the limit permits, because some closed
   * connections still use file descriptors, or some connections could not be closed yet. In the
   * second case, closes these connections now.
   */
  boolean areTooMany() {
    if (states.size() <= limits.connections() + MAX_CLOSING_CONNECTIONS) {
      return false;
    }
    for (int excess = connectionCount.get() - limits.connections(); excess > 0; excess--) {
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
    return Network.isLoopback(address) || isShared.test(address)
        ? Optional.empty()
        : Optional.of(Network.of(address));
  }

  /**
   * Closes the connection with the lowest rank; among equal ranks, the connection whose last change
   * is oldest. A channel that was just accepted cannot be closed before its event loop has
   * registered it; {@link #areTooMany} closes it later.
   *
   * @return false if no connection can be closed, now or later
   */
  private boolean closeOne(Channel newest, Predicate<State> filter) {
    Map.Entry<Channel, State> candidate = null;
    boolean unregistered = false;
    for (Map.Entry<Channel, State> entry : states.entrySet()) {
      State state = entry.getValue();
      if (entry.getKey().equals(newest)
          || state.released
          || state.rank() == NEVER_CLOSED
          || !filter.test(state)) {
        continue;
      }
      if (!entry.getKey().isRegistered()) {
        unregistered = true;
      } else if (candidate == null || isBefore(state, candidate.getValue())) {
        candidate = entry;
      }
    }
    if (candidate == null) {
      return unregistered;
    }
    release(candidate.getValue());
    closeNow(candidate.getKey());
    return true;
  }

  /**
   * Closes a connection without its pipeline, because the TLS handler in the pipeline would wait
   * for seconds until the client reads the last bytes.
   */
  static void closeNow(Channel channel) {
    channel.eventLoop().execute(() -> channel.unsafe().close(channel.newPromise()));
  }

  private static boolean isBefore(State first, State other) {
    int comparison = Integer.compare(first.rank(), other.rank());
    return comparison == 0 ? first.lastChangeNanos - other.lastChangeNanos < 0 : comparison < 0;
  }

  private void release(State state) {
    synchronized (state) {
      if (state.released) {
        return;
      }
      state.released = true;
    }
    connectionCount.decrementAndGet();
    state.address.ifPresent(
        key -> countByAddress.computeIfPresent(key, (_, n) -> n.decrementAndGet() <= 0 ? null : n));
  }

  void requestBegins(Channel channel) {
    State state = states.get(channel);
    if (state != null) {
      state.lastChangeNanos = System.nanoTime();
      state.requests.incrementAndGet();
    }
  }

  /**
   * Reports that the request in progress belongs to a signed-in user.
   *
   * @return false if the user has requests on too many connections; this connection is not counted
   *     in that case
   */
  boolean tryAddUser(Channel channel, String userId, boolean application) {
    State state = states.get(channel);
    if (state == null) {
      return true;
    }
    Owner owner = new Owner(userId, application);
    synchronized (state) {
      if (state.closed || state.owner.isPresent()) {
        return true;
      }
      if (!tryAddConnection(owner)) {
        return false;
      }
      state.owner = Optional.of(owner);
      return true;
    }
  }

  /** Marks the request in progress as exempt from limits; it is not counted for any user. */
  void exempt(Channel channel) {
    State state = states.get(channel);
    if (state != null) {
      state.exempt = true;
    }
  }

  private boolean tryAddConnection(Owner owner) {
    int userLimit = Math.max(MIN_USER_LIMIT, limits.connections() / 4);
    boolean[] added = new boolean[1];
    connectionsByUser.compute(
        owner.userId(),
        (_, previous) -> {
          UserConnections current = previous == null ? new UserConnections(0, 0) : previous;
          UserConnections updated = current.plus(1, owner.application());
          added[0] =
              updated.all() <= userLimit && updated.applications() <= Math.max(1, userLimit / 2);
          return added[0] ? updated : previous;
        });
    return added[0];
  }

  private void removeOwner(State state) {
    synchronized (state) {
      state.owner.ifPresent(
          owner ->
              connectionsByUser.computeIfPresent(
                  owner.userId(),
                  (_, current) ->
                      current.all() == 1 ? null : current.plus(-1, owner.application())));
      state.owner = Optional.empty();
    }
  }

  void requestEnds(Channel channel) {
    State state = states.get(channel);
    if (state != null) {
      removeOwner(state);
      state.exempt = false;
      state.lastChangeNanos = System.nanoTime();
      state.requests.decrementAndGet();
    }
  }

  int openCount() {
    return states.size();
  }

  /** Returns the number of users with a request in progress. */
  int userCount() {
    return connectionsByUser.size();
  }

  void closeStale() {
    long now = System.nanoTime();
    states.forEach(
        (channel, state) -> {
          if (state.requests.get() == 0 && now - state.lastChangeNanos > idleTimeoutNanos) {
            var _ = channel.close();
          }
        });
  }
}
