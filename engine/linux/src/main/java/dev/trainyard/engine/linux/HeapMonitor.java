package dev.trainyard.engine.linux;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Samples the heap of this process every second and passes the samples to {@link
 * HeapExhaustionDetector}.
 */
final class HeapMonitor {
  /**
   * Names of the old generation in the collectors that pause the process: serial, parallel and G1.
   */
  private static final Set<String> OLD_GENERATIONS =
      Set.of("Tenured Gen", "PS Old Gen", "G1 Old Gen");

  private final HeapExhaustionDetector detector = new HeapExhaustionDetector();
  private final MemoryPoolMXBean old;
  private final List<GarbageCollectorMXBean> collectors =
      ManagementFactory.getGarbageCollectorMXBeans();

  private HeapMonitor(MemoryPoolMXBean old) {
    this.old = old;
  }

  /**
   * Runs the action when the heap is exhausted. Has no effect if the JVM uses another collector.
   */
  static void start(Runnable exhausted) {
    Optional<HeapMonitor> monitor =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> OLD_GENERATIONS.contains(pool.getName()))
            .filter(MemoryPoolMXBean::isCollectionUsageThresholdSupported)
            .findFirst()
            .map(HeapMonitor::new);
    monitor.ifPresent(started -> started.schedule(exhausted));
  }

  @SuppressWarnings("FutureReturnValueIgnored") // runs until the process ends
  private void schedule(Runnable exhausted) {
    Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("heap-monitor").factory())
        .scheduleWithFixedDelay(() -> check(exhausted), 1, 1, TimeUnit.SECONDS);
  }

  private void check(Runnable exhausted) {
    try {
      if (detector.isExhausted(sample())) {
        exhausted.run();
      }
    } catch (OutOfMemoryError e) {
      MemoryExhaustion.terminateIfExhausted(e);
    }
  }

  private HeapExhaustionDetector.Sample sample() {
    MemoryUsage after = old.getCollectionUsage();
    long collections = 0;
    long millis = 0;
    for (GarbageCollectorMXBean collector : collectors) {
      millis += Math.max(0, collector.getCollectionTime());
      if (Arrays.asList(collector.getMemoryPoolNames()).contains(old.getName())) {
        collections += Math.max(0, collector.getCollectionCount());
      }
    }
    return new HeapExhaustionDetector.Sample(
        System.nanoTime(), collections, millis, after.getUsed(), after.getMax());
  }
}
