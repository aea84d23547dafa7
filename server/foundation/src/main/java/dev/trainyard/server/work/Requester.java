package dev.trainyard.server.work;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The client for which the current thread works: the key that determines its share of a {@link
 * WorkPool}, and whether it is still connected. Outside of requests, the requester is {@link
 * #SERVER}. Thread-safe.
 */
public final class Requester {
  /** Represents the server itself; never canceled. */
  public static final Requester SERVER = new Requester(() -> "server");

  private static final ScopedValue<Requester> CURRENT = ScopedValue.newInstance();

  private final Supplier<String> key;
  private final List<Runnable> cancellations = new ArrayList<>();
  private volatile boolean ended;
  private volatile String knownKey;
  private volatile boolean identified;
  private volatile RequestGate.Turn turn = RequestGate.Turn.UNLIMITED;

  /**
   * @param key returns the key of the user, or of the address of a client that is not signed in;
   *     may use the database
   */
  public Requester(Supplier<String> key) {
    this(key, "unidentified");
  }

  /**
   * @param initialKey the key to use until the user is determined, such as that of the client's
   *     address
   */
  public Requester(Supplier<String> key, String initialKey) {
    this.key = key;
    this.knownKey = initialKey;
  }

  /** Returns the key of a signed-in user. */
  public static String userKey(String userId) {
    return "user " + userId;
  }

  public static Requester current() {
    return CURRENT.orElse(SERVER);
  }

  /** Runs an action with this requester as the current requester. */
  public void run(Runnable action) {
    ScopedValue.where(CURRENT, this).run(action);
  }

  /** Like {@link #run}, for an action with a result. */
  public <T, X extends Exception> T call(WorkPool.Work<T, X> action) throws X {
    return ScopedValue.where(CURRENT, this).call(action::perform);
  }

  /** Returns a requester with another key, which ends when this requester ends. */
  public Requester withKey(String other) {
    Requester derived = new Requester(() -> other);
    derived.identify(other);
    onEnd(derived::end);
    return derived;
  }

  /** Sets the turn that {@link #endTurn} will end. */
  void turn(RequestGate.Turn newTurn) {
    turn = newTurn;
  }

  /**
   * Lets another request of the same user be processed. Must be called before waiting for a network
   * or for slow files, so that waiting requests do not delay the user's other requests.
   */
  public void endTurn() {
    turn.close();
  }

  /** Determines the key; this may read from and write to the database. */
  public void identify() {
    String determinedKey = key.get();
    knownKey = determinedKey;
    identified = true;
  }

  /**
   * Sets the key if it is not determined yet. Called while the key is looked up, for the writes
   * that this causes. Has no effect on {@link #SERVER}.
   */
  public void identify(String userKey) {
    if (!identified && !isServer()) {
      knownKey = userKey;
      identified = true;
    }
  }

  String key() {
    return key.get();
  }

  /**
   * Returns the key that {@link #identify} has determined, or the initial key. Does not look up the
   * key, because the database calls this method for every write, including the writes that a
   * look-up causes.
   */
  public String knownKey() {
    return knownKey;
  }

  /** Returns whether this requester is the server itself. */
  public boolean isServer() {
    return equals(SERVER);
  }

  /**
   * Reports that the client has disconnected or that its request is finished. Queued work is
   * dropped, running work may stop, and resources acquired for the request are released.
   */
  public void end() {
    List<Runnable> actions;
    synchronized (this) {
      ended = true;
      actions = List.copyOf(cancellations);
      cancellations.clear();
    }
    actions.forEach(Runnable::run);
  }

  public boolean hasEnded() {
    return ended;
  }

  /** Throws if the client has disconnected; long-running work must call it regularly. */
  public static void requireCurrent() {
    if (current().hasEnded()) {
      throw new WorkCanceledException();
    }
  }

  /**
   * Runs the action when the request ends or the client disconnects; immediately if this has
   * already happened.
   */
  public void onEnd(Runnable action) {
    if (this == SERVER) {
      return;
    }
    synchronized (this) {
      if (!ended) {
        cancellations.add(action);
        return;
      }
    }
    action.run();
  }

  synchronized void forget(Runnable action) {
    cancellations.remove(action);
  }
}
