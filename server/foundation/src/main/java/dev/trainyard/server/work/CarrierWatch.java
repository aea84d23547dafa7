package dev.trainyard.server.work;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jdk.management.VirtualThreadSchedulerMXBean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds carrier threads when virtual threads stop making progress.
 *
 * <p>A virtual thread that waits while it loads or initializes a class keeps its carrier. If the
 * virtual threads on all carriers wait for a virtual thread that has no carrier, none of them
 * continues. With one carrier per processor, the default, this happened when jobs were adopted
 * after a restart. A permanently larger number of carriers appeared to reduce the number of
 * submissions per second. Therefore a platform thread starts a virtual thread every second. If this
 * virtual thread does not run within a second, up to {@value #MAX_CARRIERS} carriers are allowed
 * until it has run, and for half a minute after that.
 */
public final class CarrierWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CarrierWatch.class);
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  /** Maximum number of carriers that Java creates by default. */
  private static final int MAX_CARRIERS = 256;

  private static final Duration RAISED_TIME = Duration.ofSeconds(30);

  private final CountDownLatch closed = new CountDownLatch(1);

  private CarrierWatch() {}

  public static CarrierWatch start() {
    CarrierWatch watch = new CarrierWatch();
    Thread.ofPlatform().daemon().name("carrier-watch").start(watch::run);
    return watch;
  }

  private void run() {
    try {
      while (!isClosedWithin(INTERVAL)) {
        CountDownLatch progress = probe();
        if (!progress.await(INTERVAL.toNanos(), TimeUnit.NANOSECONDS)) {
          addCarriers(progress);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isClosedWithin(Duration time) throws InterruptedException {
    return closed.await(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  private static CountDownLatch probe() {
    CountDownLatch progress = new CountDownLatch(1);
    Thread.ofVirtual().name("carrier-probe").start(progress::countDown);
    return progress;
  }

  /**
   * Increases the number of carriers until virtual threads make progress again. The management
   * classes are used only here, because loading them would delay the start of the server.
   */
  private void addCarriers(CountDownLatch progress) throws InterruptedException {
    VirtualThreadSchedulerMXBean scheduler =
        ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
    int previousParallelism = scheduler.getParallelism();
    LOG.warn("virtual threads make no progress; allowing {} carrier threads", MAX_CARRIERS);
    scheduler.setParallelism(MAX_CARRIERS);
    progress.await();
    isClosedWithin(RAISED_TIME);
    scheduler.setParallelism(previousParallelism);
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
