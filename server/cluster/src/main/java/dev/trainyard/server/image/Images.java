package dev.trainyard.server.image;

import dev.trainyard.engine.Engine;
import dev.trainyard.engine.ImageStore;
import dev.trainyard.model.DataSize;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.config.Settings;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.job.JobService;
import dev.trainyard.server.job.JobStore;
import dev.trainyard.server.queue.JobBuilds;
import dev.trainyard.server.queue.JobImages;
import dev.trainyard.server.secret.LoginSecrets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Entry point of the image features. The catalog and the registries exist with every engine; the
 * rest only if the engine has images.
 */
public final class Images implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Images.class);
  private static final Duration SWEEP = Duration.ofMinutes(10);

  private final String engine;
  private final RegistryProbe probe = new RegistryProbe(SsrfGuard::isInternal);
  private final RegistryService registries;
  private final RegistryLogins logins;
  private final RegistryBrowser browser = new RegistryBrowser();
  private final Catalog catalog;
  private final PresentImages present;
  private final Optional<LocalImages> local;
  private final JobImages provisioner;
  private final Optional<ImageBuilds> builds;
  private final DataSize buildLimit;
  private final InstantSource clock;
  private final Optional<ImageGarbageCollector> cleaning;
  private final ScheduledExecutorService sweeps =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("image-sweep-", 0).factory());

  /**
   * @param data data directory of the server
   */
  public Images(
      Engine engine,
      Db db,
      Path data,
      Settings settings,
      LoginSecrets secrets,
      JobStore jobs,
      InstantSource clock) {
    Audit audit = new Audit(clock);
    this.engine = engine.name();
    this.registries = new RegistryService(db, audit);
    this.logins = new RegistryLogins(db, secrets, audit, clock);
    this.catalog = new Catalog(db, audit, clock);
    NodeImageService machine = new NodeImageService(db, clock);
    Optional<ImageStore> store = engine.images();
    this.present = new PresentImages(store, machine);
    Optional<ImagePulls> pulls = store.map(images -> new ImagePulls(images, probe::require));
    this.local =
        store.map(
            images ->
                new LocalImages(
                    db, images, pulls.orElseThrow(), catalog, machine, logins, registries, audit));
    this.clock = clock;
    this.buildLimit = settings.value(Settings.BUILD_LIMIT);
    this.builds = store.map(images -> builds(db, images, data.resolve("builds")));
    JobLogins jobLogins = new JobLogins(data.resolve("home"), logins, registries);
    this.provisioner =
        store
            .<JobImages>map(
                images ->
                    new ImageProvisioner(
                        db,
                        images,
                        pulls.orElseThrow(),
                        catalog,
                        machine,
                        jobLogins,
                        PullPolicy.of(settings.value(Settings.IMAGE_PULL)),
                        clock))
            .orElse(JobImages.NONE);
    this.cleaning =
        store.map(
            images ->
                new ImageGarbageCollector(
                    db,
                    jobs,
                    images,
                    catalog,
                    settings.value(Settings.KEEP_IMAGES),
                    settings.value(Settings.IMAGE_DISK_LOW),
                    ImageGarbageCollector.Disk.of(images),
                    clock));
  }

  private ImageBuilds builds(Db db, ImageStore images, Path contexts) {
    return new ImageBuilds(db, images, local.orElseThrow(), contexts, ContextBudget.of(buildLimit));
  }

  /** Returns the component that provides the images of jobs. */
  public JobImages provisioner() {
    return provisioner;
  }

  /** Returns the component that handles jobs that build an image. */
  public JobBuilds builds() {
    return builds.<JobBuilds>map(works -> works).orElse(JobBuilds.NONE);
  }

  /**
   * @param requireRoom throws if the disk is nearly full
   * @param idRanges returns the number of a user's ID range
   */
  public void addTo(
      Routes routes, JobService jobs, Runnable requireRoom, ToIntFunction<Caller> idRanges) {
    new BuildRoutes(builds, engine, jobs, buildLimit, requireRoom, idRanges, clock).addTo(routes);
    new CatalogRoutes(catalog, present).addTo(routes);
    new RegistryRoutes(registries, logins, browser).addTo(routes);
    new LocalImageRoutes(local, engine, jobs).addTo(routes);
  }

  // The executor keeps the futures of repeated tasks, and no caller waits for them.
  @SuppressWarnings("FutureReturnValueIgnored")
  public void start() {
    builds.ifPresent(
        works ->
            sweeps.scheduleWithFixedDelay(
                () -> sweep(works), 0, SWEEP.toMinutes(), TimeUnit.MINUTES));
    cleaning.ifPresent(
        works ->
            sweeps.scheduleWithFixedDelay(
                () -> sweep(works), 1, SWEEP.toMinutes(), TimeUnit.MINUTES));
  }

  private static void sweep(ImageBuilds builds) {
    try {
      builds.sweep();
    } catch (RuntimeException e) {
      LOG.error("cleanup of build contexts failed; will retry", e);
    }
  }

  private static void sweep(ImageGarbageCollector cleaning) {
    try {
      cleaning.sweep();
    } catch (RuntimeException e) {
      LOG.error("image cleanup failed; will retry", e);
    }
  }

  @Override
  public void close() {
    sweeps.shutdownNow();
    browser.close();
  }
}
