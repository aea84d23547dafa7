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
import java.util.function.Function;

/**
 * Finds the login for pulling an image of a job. Uses the first of these logins that exists for the
 * registry:
 *
 * <ol>
 *   <li>the login in the job file
 *   <li>the login in the auth file that the job file names
 *   <li>the owner's own login
 *   <li>a login of one of the owner's groups
 * </ol>
 */
final class JobLogins {
  private final Function<String, Path> homes;
  private final RegistryLogins logins;
  private final RegistryService registries;

  /**
   * @param homes returns the home directory of a user
   */
  JobLogins(Function<String, Path> homes, RegistryLogins logins, RegistryService registries) {
    this.homes = homes;
    this.logins = logins;
    this.registries = registries;
  }

  /** Returns whether the job's owner may use the registry. */
  boolean mayUse(JobImages.ImageRequest request, ImageReference reference) {
    return request.owner().admin()
        || !registries.isForbidden(request.owner().id(), reference.registry());
  }

  RegistryAccess access(
      JobImages.ImageRequest request,
      String imageName,
      ImageReference reference,
      JobImages.Progress progress) {
    Optional<RegistryLogin> login =
        fromPrerequisite(request, imageName, reference)
            .or(() -> fromAuthFile(request, reference, progress))
            .or(() -> logins.find(request.owner().id(), reference.registry()));
    return new RegistryAccess(login, registries.isPlainHttp(reference.registry()));
  }

  private static Optional<RegistryLogin> fromPrerequisite(
      JobImages.ImageRequest request, String imageName, ImageReference reference) {
    for (Prerequisite prerequisite : request.spec().prerequisites()) {
      if (prerequisite.type().equals(Prerequisite.IMAGE)
          && prerequisite.uri().equals(imageName)
          && prerequisite.fields().get("auth") instanceof Map<?, ?> auth) {
        String user = text(auth, "username");
        String password = request.resolveSecrets().apply(text(auth, "password"));
        String registry = text(auth, "registryuri");
        boolean matchesRegistry =
            registry.isEmpty()
                || RegistryName.of(registry).equals(Optional.of(reference.registry()));
        if (!user.isEmpty() && matchesRegistry) {
          return Optional.of(new RegistryLogin(request.resolveSecrets().apply(user), password));
        }
      }
    }
    return Optional.empty();
  }

  private static String text(Map<?, ?> fields, String name) {
    return fields.get(name) instanceof String text ? text : "";
  }

  private Optional<RegistryLogin> fromAuthFile(
      JobImages.ImageRequest request, ImageReference reference, JobImages.Progress progress) {
    String name = request.spec().authFile();
    if (name.isEmpty() || AuthFile.isRemote(name)) {
      // A warning at submission already reported that the file system is not supported.
      return Optional.empty();
    }
    try {
      AuthFile.Content content = AuthFile.read(homes.apply(request.owner().name()), name);
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
