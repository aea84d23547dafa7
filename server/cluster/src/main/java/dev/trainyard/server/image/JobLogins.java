package dev.trainyard.server.image;

import dev.trainyard.engine.RegistryAccess;
import dev.trainyard.engine.RegistryLogin;
import dev.trainyard.model.ImageReference;
import dev.trainyard.model.Message;
import dev.trainyard.model.Prerequisite;
import dev.trainyard.server.queue.JobImages;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the login with which an image of a job is pulled: the login in the job file for that
 * registry, else the owner's own, else that of one of the owner's groups. A login is sent only to
 * the registry it belongs to.
 */
final class JobLogins {
  private final Path homes;
  private final RegistryLogins logins;
  private final RegistryService registries;

  /**
   * @param homes parent directory of the users' home directories
   */
  JobLogins(Path homes, RegistryLogins logins, RegistryService registries) {
    this.homes = homes;
    this.logins = logins;
    this.registries = registries;
  }

  /** Returns whether the job's owner may use the registry. */
  boolean mayAsk(JobImages.Wanted wanted, ImageReference reference) {
    return wanted.owner().admin()
        || !registries.isReserved(wanted.owner().id(), reference.registry());
  }

  RegistryAccess access(
      JobImages.Wanted wanted,
      String written,
      ImageReference reference,
      JobImages.Progress progress) {
    Optional<RegistryLogin> login =
        ofPrerequisite(wanted, written, reference)
            .or(() -> ofAuthFile(wanted, reference, progress))
            .or(() -> logins.find(wanted.owner().id(), reference.registry()));
    return new RegistryAccess(login, registries.isPlainHttp(reference.registry()));
  }

  private static Optional<RegistryLogin> ofPrerequisite(
      JobImages.Wanted wanted, String written, ImageReference reference) {
    for (Prerequisite prerequisite : wanted.spec().prerequisites()) {
      if (prerequisite.type().equals(Prerequisite.IMAGE)
          && prerequisite.uri().equals(written)
          && prerequisite.fields().get("auth") instanceof Map<?, ?> auth) {
        String user = text(auth, "username");
        String password = wanted.reveal().apply(text(auth, "password"));
        String registry = text(auth, "registryuri");
        boolean forThis =
            registry.isEmpty()
                || RegistryName.of(registry).equals(Optional.of(reference.registry()));
        if (!user.isEmpty() && forThis) {
          return Optional.of(new RegistryLogin(wanted.reveal().apply(user), password));
        }
      }
    }
    return Optional.empty();
  }

  private static String text(Map<?, ?> fields, String name) {
    return fields.get(name) instanceof String text ? text : "";
  }

  private Optional<RegistryLogin> ofAuthFile(
      JobImages.Wanted wanted, ImageReference reference, JobImages.Progress progress) {
    String name = wanted.spec().authFile();
    if (name.isEmpty() || AuthFile.isRemote(name)) {
      return Optional
          .empty(); // a warning at submission already reported that this file system does not exist
    }
    try {
      AuthFile.Content content = AuthFile.read(homes.resolve(wanted.owner().name()), name);
      return RegistryName.of(content.registry()).equals(Optional.of(reference.registry()))
          ? Optional.of(new RegistryLogin(content.user(), content.password()))
          : Optional.empty();
    } catch (IOException e) {
      progress.addEvent(
          true,
          Message.of("event.auth-file", "path", name)
              .with("detail", String.valueOf(e.getMessage())));
      return Optional.empty();
    }
  }
}
