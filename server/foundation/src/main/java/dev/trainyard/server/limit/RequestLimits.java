package dev.trainyard.server.limit;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Rejects requests that exceed the limits. Signed-in callers are counted by user only; if they were
 * also counted by address, one user could exhaust the limit of all users behind the same address.
 * Other clients are counted by address. Clients on the host itself are not counted, because they
 * share the loopback address with all tasks and unconfigured proxies, any of which could exhaust
 * the limit. Thread-safe.
 */
public final class RequestLimits {
  public static final RequestLimits NONE =
      new RequestLimits(RateLimitConfig.UNLIMITED, System::nanoTime);

  /**
   * Seconds after which a client with too many open requests should retry. The value is fixed
   * because it is unknown when a stream will end.
   */
  public static final long RETRY_SECONDS = 5;

  private final Limit userLimit;
  private final Limit address;
  private final Limit submit;
  private final Limit list;
  private final Limit signInLimit;
  private final OpenLimit userOpen;
  private final OpenLimit addressOpen;

  /**
   * @param nanos a monotonic clock, such as {@link System#nanoTime}
   */
  public RequestLimits(RateLimitConfig rateLimitConfig, LongSupplier nanos) {
    this.userLimit = new Limit(rateLimitConfig.user(), nanos, "error.too-many-requests");
    this.address = new Limit(rateLimitConfig.address(), nanos, "error.too-many-requests-here");
    this.submit = new Limit(rateLimitConfig.submit(), nanos, "error.too-many-submissions");
    this.list = new Limit(rateLimitConfig.list(), nanos, "error.too-many-lists");
    this.signInLimit = new Limit(rateLimitConfig.signIn(), nanos, "error.too-many-sign-ins");
    this.userOpen = new OpenLimit(rateLimitConfig.userOpen(), "error.too-many-open");
    this.addressOpen = new OpenLimit(rateLimitConfig.addressOpen(), "error.too-many-open-here");
  }

  /** An admitted request; counted until it is closed. */
  @FunctionalInterface
  public interface Admitted extends AutoCloseable {
    Admitted UNLIMITED = () -> {};

    @Override
    void close();
  }

  /**
   * Counts a request of a user; throws TOO_MANY_REQUESTS if a limit is exceeded.
   *
   * @param application whether the request uses an application token; such requests are counted
   *     separately, so that a stolen token cannot prevent its owner from revoking it
   */
  public Admitted admitUser(String userId, boolean application, RequestKind kind) {
    if (kind == RequestKind.HEALTH) {
      return Admitted.UNLIMITED;
    }
    String key = application ? userId + "/applications" : userId;
    userLimit.take(key);
    switch (kind) {
      case SUBMISSION -> submit.take(userId);
      case LIST -> list.take(userId);
      case OTHER, HEALTH -> {}
    }
    return userOpen.take(key);
  }

  /**
   * Counts a request of a client that is not signed in; throws TOO_MANY_REQUESTS if a limit is
   * exceeded.
   */
  public Admitted admitGuest(String remoteAddress, RequestKind kind) {
    if (kind == RequestKind.HEALTH || Network.isLoopback(remoteAddress)) {
      return Admitted.UNLIMITED;
    }
    String network = Network.of(remoteAddress);
    address.take(network);
    return addressOpen.take(network);
  }

  /**
   * Counts a successful sign-in; throws TOO_MANY_REQUESTS if the limit is exceeded. Sign-ins are
   * limited because each one leaves a permanent record.
   */
  public void admitSignIn(String userId) {
    signInLimit.take(userId);
  }

  /** Returns the number of rejected requests for each limit, by the name of the limit. */
  public Map<String, Long> rejections() {
    Map<String, Long> rejections = new LinkedHashMap<>();
    rejections.put("user", userLimit.rejectedCount.sum());
    rejections.put("address", address.rejectedCount.sum());
    rejections.put("submit", submit.rejectedCount.sum());
    rejections.put("list", list.rejectedCount.sum());
    rejections.put("sign-in", signInLimit.rejectedCount.sum());
    rejections.put("user-open", userOpen.rejectedCount.sum());
    rejections.put("address-open", addressOpen.rejectedCount.sum());
    return rejections;
  }

  private static AppException tooManyRequests(String code, long seconds) {
    return new AppException(ErrorCode.TOO_MANY_REQUESTS, Message.of(code, "seconds", seconds));
  }

  private static final class Limit {
    private final Optional<Buckets> buckets;
    private final String message;
    private final LongAdder rejectedCount = new LongAdder();

    Limit(Optional<Rate> rate, LongSupplier nanos, String message) {
      this.buckets = rate.map(configuredRate -> new Buckets(configuredRate, nanos));
      this.message = message;
    }

    void take(String key) {
      if (buckets.isEmpty()) {
        return;
      }
      long waitNanos = buckets.get().take(key);
      if (waitNanos > 0) {
        rejectedCount.increment();
        long second = TimeUnit.SECONDS.toNanos(1);
        throw tooManyRequests(message, (waitNanos + second - 1) / second);
      }
    }
  }

  private static final class OpenLimit {
    private final Optional<ConcurrencyLimiter> limiter;
    private final String message;
    private final LongAdder rejectedCount = new LongAdder();

    OpenLimit(Optional<Integer> limit, String message) {
      this.limiter = limit.map(ConcurrencyLimiter::new);
      this.message = message;
    }

    Admitted take(String key) {
      if (limiter.isEmpty()) {
        return Admitted.UNLIMITED;
      }
      ConcurrencyLimiter concurrencyLimiter = limiter.get();
      if (!concurrencyLimiter.tryAcquire(key)) {
        rejectedCount.increment();
        throw tooManyRequests(message, RETRY_SECONDS);
      }
      return () -> concurrencyLimiter.release(key);
    }
  }
}
