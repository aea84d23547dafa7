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
import dev.trainyard.server.storage.StorageDirectories;
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
 * Entry point of the image features. The catalog and the registries are available with every
 * engine; the other features only if the engine supports images.
 */
public final class Images implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Images.class);
  private static final Duration SWEEP_INTERVAL = Duration.ofMinutes(10);

  private final String engine;
  private final RegistryProbe probe = new RegistryProbe(SsrfGuard::isInternal);
  private final RegistryService registries;
  private final RegistryLogins logins;
  private final RegistryBrowser browser = new RegistryBrowser();
  private final Catalog catalog;
  private final NodeImageResolver imageResolver;
  private final Optional<LocalImages> localImages;
  private final JobImages provisioner;
  private final Optional<ImageBuilds> builds;
  private final DataSize buildLimit;
  private final InstantSource clock;
  private final Optional<ImageGarbageCollector> garbageCollector;
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
    NodeImageService nodeImages = new NodeImageService(db, clock);
    Optional<ImageStore> store = engine.images();
    this.imageResolver = new NodeImageResolver(store, nodeImages);
    Optional<ImagePulls> pulls = store.map(images -> new ImagePulls(images, probe::require));
    this.localImages =
        store.map(
            images ->
                new LocalImages(
                    db,
                    images,
                    pulls.orElseThrow(),
                    catalog,
                    nodeImages,
                    logins,
                    registries,
                    audit));
    this.clock = clock;
    this.buildLimit = settings.value(Settings.BUILD_LIMIT);
    this.builds = store.map(images -> builds(db, images, data.resolve("builds")));
    JobLogins jobLogins = new JobLogins(new StorageDirectories(data)::home, logins, registries);
    this.provisioner =
        store
            .<JobImages>map(
                images ->
                    new ImageProvisioner(
                        db,
                        images,
                        pulls.orElseThrow(),
                        catalog,
                        nodeImages,
                        jobLogins,
                        PullPolicy.of(settings.value(Settings.IMAGE_PULL)),
                        clock))
            .orElse(JobImages.NONE);
    this.garbageCollector =
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
    return new ImageBuilds(
        db, images, localImages.orElseThrow(), contexts, ContextBudget.of(buildLimit));
  }

  /** Returns the component that provides the images of jobs. */
  public JobImages provisioner() {
    return provisioner;
  }

  /** Returns the component that handles jobs that build an image. */
  public JobBuilds builds() {
    return builds.<JobBuilds>map(component -> component).orElse(JobBuilds.NONE);
  }

  /**
   * @param requireSpace throws if the disk is nearly full
   * @param idRanges returns the number of a user's ID range
   */
  public void addTo(
      Routes routes, JobService jobs, Runnable requireSpace, ToIntFunction<Caller> idRanges) {
    new BuildRoutes(builds, engine, jobs, buildLimit, requireSpace, idRanges, clock).addTo(routes);
    new CatalogRoutes(catalog, imageResolver).addTo(routes);
    new RegistryRoutes(registries, logins, browser).addTo(routes);
    new LocalImageRoutes(localImages, engine, jobs).addTo(routes);
  }

  // The executor keeps the futures of repeated tasks, and no caller waits for them.
  @SuppressWarnings("FutureReturnValueIgnored")
  public void start() {
    builds.ifPresent(
        component ->
            sweeps.scheduleWithFixedDelay(
                () -> sweep(component), 0, SWEEP_INTERVAL.toMinutes(), TimeUnit.MINUTES));
    garbageCollector.ifPresent(
        component ->
            sweeps.scheduleWithFixedDelay(
                () -> sweep(component), 1, SWEEP_INTERVAL.toMinutes(), TimeUnit.MINUTES));
  }

  private static void sweep(ImageBuilds builds) {
    try {
      builds.sweep();
    } catch (RuntimeException e) {
      LOG.error("cleanup of build contexts failed; will retry", e);
    }
  }

  private static void sweep(ImageGarbageCollector garbageCollector) {
    try {
      garbageCollector.sweep();
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
