package dev.trainyard.server.image;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.ImageReference;
import dev.trainyard.model.Message;
import dev.trainyard.server.http.Caller;
import java.util.Locale;

/** Rules for the names of images that users create. Has no state and no side effects. */
final class ImageNames {
  /** Docker Hub namespace of names without a slash, such as {@code ubuntu}. */
  private static final String OFFICIAL_NAMESPACE = "library";

  private ImageNames() {}

  /**
   * Returns the full name of a new image. A name without a registry must be in the user's own
   * namespace, so that no user can replace an image that others use; this namespace is added to a
   * name without a slash. Administrators may choose any name.
   */
  static ImageReference target(Caller caller, String name) {
    ImageReference reference =
        ImageReference.parse(name).orElseThrow(() -> ImageFaults.badName(name));
    if (!reference.digest().isEmpty()) {
      throw ImageFaults.badName(name);
    }
    if (caller.admin() || !reference.registry().equals(ImageReference.DOCKER_HUB)) {
      return reference;
    }
    if (caller.userName().equalsIgnoreCase(OFFICIAL_NAMESPACE)) {
      throw new AppException(
          ErrorCode.FORBIDDEN,
          Message.of("error.image-official", "image", reference.familiarName()));
    }
    String ownPrefix = caller.userName().toLowerCase(Locale.ROOT) + "/";
    String familiarName = reference.familiarName();
    if (familiarName.startsWith(ownPrefix)) {
      return reference;
    }
    if (familiarName.indexOf('/') >= 0) {
      throw notOwnException(familiarName, ownPrefix);
    }
    return ImageReference.parse(ownPrefix + familiarName)
        .orElseThrow(() -> ImageFaults.badName(ownPrefix + familiarName));
  }

  /**
   * Rejects a name that the user may no longer use, for example because the user is not an
   * administrator anymore.
   */
  static void requireOwn(Caller caller, ImageReference reference) {
    if (!target(caller, reference.familiarName()).equals(reference)) {
      throw notOwnException(
          reference.familiarName(), caller.userName().toLowerCase(Locale.ROOT) + "/");
    }
  }

  private static AppException notOwnException(String familiarName, String ownPrefix) {
    return new AppException(
        ErrorCode.FORBIDDEN,
        Message.of("error.image-not-own", "image", familiarName).with("prefix", ownPrefix));
  }

  /** Returns whether the name contains a registry. Only an image with such a name can be pushed. */
  static boolean hasRegistry(ImageReference reference) {
    return !reference.registry().equals(ImageReference.DOCKER_HUB);
  }
}
