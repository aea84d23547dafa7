package dev.trainyard.server.image;

import dev.trainyard.engine.ImageException;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.ImageReference;
import dev.trainyard.model.Message;
import dev.trainyard.model.diagnosis.ExitTable;

/** Error messages for failed image operations. */
final class ImageFaults {
  private ImageFaults() {}

  static Message message(ImageReference image, ImageException e) {
    String code =
        switch (e.kind()) {
          case UNKNOWN_IMAGE -> "error.image-unknown";
          case LOGIN_REFUSED -> "error.image-login-refused";
          case BAD_NAME -> "error.image-name";
          case UNREACHABLE -> ExitTable.REGISTRY_UNREACHABLE;
          case ENGINE_UNAVAILABLE -> "error.image-engine-absent";
          case DISK_FULL -> "error.image-no-room";
          case IN_USE -> "error.image-in-use";
          case CANCELED, OTHER -> "error.image-other";
        };
    return Message.of(code, "image", image.familiarName())
        .with("registry", image.registry())
        .with("detail", String.valueOf(e.getMessage()));
  }

  static AppException toException(ImageReference image, ImageException e) {
    ErrorCode code =
        switch (e.kind()) {
          case UNKNOWN_IMAGE -> ErrorCode.NOT_FOUND;
          case BAD_NAME -> ErrorCode.BAD_REQUEST;
          case LOGIN_REFUSED, IN_USE -> ErrorCode.CONFLICT;
          case UNREACHABLE, ENGINE_UNAVAILABLE, CANCELED, OTHER -> ErrorCode.UNAVAILABLE;
          case DISK_FULL -> ErrorCode.DISK_FULL;
        };
    return new AppException(code, message(image, e));
  }

  static AppException badName(String name) {
    return new AppException(ErrorCode.BAD_REQUEST, Message.of("error.image-name", "image", name));
  }

  /** Returns the error for an engine that does not support images. */
  static AppException noImages(String engine) {
    return new AppException(ErrorCode.CONFLICT, Message.of("error.no-images", "engine", engine));
  }

  /**
   * Returns the error for a registry that the user must not use according to {@link
   * RegistryService#isForbidden}.
   */
  static Message reservedRegistry(ImageReference reference) {
    return Message.of("error.registry-near", "registry", reference.registry());
  }
}
