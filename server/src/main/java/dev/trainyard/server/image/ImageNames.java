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
      throw new AppException(
          ErrorCode.FORBIDDEN,
          Message.of("error.image-not-own", "image", familiar).with("prefix", own));
    }
    return ImageReference.parse(own + familiar)
        .orElseThrow(() -> ImageFaults.badName(own + familiar));
  }

  /** Whether it can be pushed anywhere: only a name that says a registry can. */
  static boolean namesRegistry(ImageReference reference) {
    return !reference.registry().equals(ImageReference.DOCKER_HUB);
  }
}
