package dev.trainyard.engine.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.AuthConfig;
import com.github.dockerjava.api.model.InfoRegistryConfig;
import com.github.dockerjava.api.model.ResponseItem;
import dev.trainyard.engine.ImageException;
import dev.trainyard.engine.ImageException.Kind;
import dev.trainyard.engine.PullProgress;
import dev.trainyard.engine.RegistryAccess;
import dev.trainyard.engine.RegistryLogin;
import dev.trainyard.model.ImageReference;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pulls and pushes images. A registry without TLS is reached through a {@link RegistryRelay} unless
 * the engine was configured to trust it.
 */
final class ImageTransfers {
  private static final Logger LOG = LoggerFactory.getLogger(ImageTransfers.class);

  private final DockerClient client;

  ImageTransfers(DockerClient client) {
    this.client = client;
  }

  /** Pulls an image and returns the name or the ID that it has on the node. */
  String pull(ImageReference reference, RegistryAccess access, Consumer<PullProgress> progress) {
    if (!needsRelay(reference, access)) {
      pullDirectly(reference, access, progress);
      return reference.toString();
    }
    try (RegistryRelay relay = RegistryRelay.open(reference.registry())) {
      ImageReference relayReference = reference.withRegistry(relay.address());
      pullDirectly(relayReference, access, progress);
      String id = client.inspectImageCmd(relayReference.toString()).exec().getId();
      if (!reference.tag().isEmpty()) {
        client.tagImageCmd(id, reference.name(), reference.tag()).exec();
      }
      // An image that is pulled by its digest keeps the name with the relay, because this may be
      // its only name, and removing the last name removes the image.
      if (reference.digest().isEmpty()) {
        untag(relayReference);
      }
      return id;
    }
  }

  private void pullDirectly(
      ImageReference reference, RegistryAccess access, Consumer<PullProgress> progress) {
    Transfer<com.github.dockerjava.api.model.PullResponseItem> transfer = new Transfer<>(progress);
    var command =
        client
            .pullImageCmd(reference.name())
            .withTag(reference.digest().isEmpty() ? reference.tag() : reference.digest())
            .withAuthConfig(login(access, reference));
    transfer.await(command.exec(transfer));
  }

  void push(ImageReference reference, RegistryAccess access, Consumer<PullProgress> progress) {
    if (!needsRelay(reference, access)) {
      pushDirectly(reference, access, progress);
      return;
    }
    try (RegistryRelay relay = RegistryRelay.open(reference.registry())) {
      ImageReference relayReference = reference.withRegistry(relay.address());
      client.tagImageCmd(reference.toString(), relayReference.name(), relayReference.tag()).exec();
      try {
        pushDirectly(relayReference, access, progress);
      } finally {
        untag(relayReference);
      }
    }
  }

  private void pushDirectly(
      ImageReference reference, RegistryAccess access, Consumer<PullProgress> progress) {
    Transfer<com.github.dockerjava.api.model.PushResponseItem> transfer = new Transfer<>(progress);
    var command =
        client
            .pushImageCmd(reference.name())
            .withTag(reference.tag())
            .withAuthConfig(login(access, reference));
    transfer.await(command.exec(transfer));
  }

  private void untag(ImageReference relayReference) {
    try {
      client.removeImageCmd(relayReference.toString()).withNoPrune(true).exec();
    } catch (NotFoundException e) {
      LOG.debug("{} was already removed", relayReference);
    }
  }

  private boolean needsRelay(ImageReference reference, RegistryAccess access) {
    return access.plainHttp()
        && !isLoopback(reference.registry())
        && !isTrusted(reference.registry());
  }

  private static boolean isLoopback(String registry) {
    return registry.startsWith("127.")
        || registry.equals("localhost")
        || registry.startsWith("localhost:");
  }

  private boolean isTrusted(String registry) {
    return Optional.ofNullable(client.infoCmd().exec().getRegistryConfig())
        .map(InfoRegistryConfig::getIndexConfigs)
        .map(configs -> configs.get(registry))
        .map(config -> Boolean.FALSE.equals(config.getSecure()))
        .orElse(false);
  }

  /**
   * Always returns a configuration, even if empty; otherwise the library uses the credentials of
   * the server's account.
   */
  private static AuthConfig login(RegistryAccess access, ImageReference reference) {
    AuthConfig config = new AuthConfig();
    if (access.login().isPresent()) {
      RegistryLogin login = access.login().get();
      boolean dockerHub = reference.registry().equals(ImageReference.DOCKER_HUB);
      config
          .withUsername(login.user())
          .withPassword(login.password())
          .withRegistryAddress(
              dockerHub ? AuthConfig.DEFAULT_SERVER_ADDRESS : reference.registry());
    }
    return config;
  }

  /** A transfer whose progress messages are read from the engine. */
  private static final class Transfer<T extends ResponseItem> extends ResultCallback.Adapter<T> {
    private final LayerSums layerSums = new LayerSums();
    private final Consumer<PullProgress> progress;
    private volatile Optional<String> error = Optional.empty();
    private volatile Optional<RuntimeException> failure = Optional.empty();

    Transfer(Consumer<PullProgress> progress) {
      this.progress = progress;
    }

    @Override
    public void onNext(T item) {
      if (item.getErrorDetail() != null) {
        error = Optional.of(String.valueOf(item.getErrorDetail().getMessage()));
      } else if (layerSums.add(item)) {
        progress.accept(layerSums.total());
      }
    }

    /** Keeps the failure for the caller. The library would also log it with its stack trace. */
    @Override
    public void onError(Throwable cause) {
      failure =
          Optional.of(
              cause instanceof RuntimeException exception
                  ? exception
                  : new IllegalStateException(cause));
      try {
        close();
      } catch (IOException e) {
        LOG.debug("failed to close the engine's response", e);
      }
    }

    void await(ResultCallback<T> callback) {
      try (callback) {
        awaitCompletion();
      } catch (InterruptedException e) {
        // Closing the connection makes the engine cancel the transfer.
        throw new ImageException(Kind.CANCELED, "canceled", e);
      } catch (IOException e) {
        LOG.debug("failed to close the engine's response", e);
      }
      if (failure.isPresent()) {
        throw failure.get();
      }
      if (error.isPresent()) {
        throw ImageErrors.of(error.get());
      }
    }
  }
}
