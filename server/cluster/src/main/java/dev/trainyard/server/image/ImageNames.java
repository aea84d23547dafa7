package dev.trainyard.server.image;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.ImageReference;
import dev.trainyard.model.Message;
import dev.trainyard.server.http.Caller;
import java.util.Locale;

/** Which names people may give to the images they make. Pure. */
final class ImageNames {
  /** What is below it is what everybody means by a plain name such as ubuntu. */
  private static final String OFFICIAL = "library";

  private ImageNames() {}

  /**
   * A name without a registry is put below the user's own, so that nobody can take the place of an
   * image that others use. Administrators may choose any.
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
    if (caller.userName().equalsIgnoreCase(OFFICIAL)) {
      throw new AppException(
          ErrorCode.FORBIDDEN, Message.of("error.image-official", "image", reference.familiar()));
    }
    String own = caller.userName().toLowerCase(Locale.ROOT) + "/";
    String familiar = reference.familiar();
    if (familiar.startsWith(own)) {
      return reference;
    }
    if (familiar.indexOf('/') >= 0) {
      throw notOwn(familiar, own);
    }
    return ImageReference.parse(own + familiar)
        .orElseThrow(() -> ImageFaults.badName(own + familiar));
  }

  /** Refuses a name that somebody could give once and may not any more. */
  static void requireOwn(Caller caller, ImageReference reference) {
    if (!target(caller, reference.familiar()).equals(reference)) {
      throw notOwn(reference.familiar(), caller.userName().toLowerCase(Locale.ROOT) + "/");
    }
  }

  private static AppException notOwn(String familiar, String own) {
    return new AppException(
        ErrorCode.FORBIDDEN,
        Message.of("error.image-not-own", "image", familiar).with("prefix", own));
  }

  /** Whether it can be pushed anywhere: only a name that says a registry can. */
  static boolean namesRegistry(ImageReference reference) {
    return !reference.registry().equals(ImageReference.DOCKER_HUB);
  }
}
