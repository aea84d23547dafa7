package dev.trainyard.server.user;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.model.Message;
import dev.trainyard.server.http.Fields;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Parses and validates the profile fields of a request. */
public final class ProfileFields {
  private static final int MAX_EMAIL_LENGTH = 254;
  private static final int MAX_NAME_LENGTH = 100;
  private static final int MAX_EXTENSION_SIZE = 64 * 1024;
  private static final Pattern EMAIL = Pattern.compile("[^@\\s,;<>\"]+@[^@\\s,;<>\"]+");
  private static final List<String> LANGUAGES = List.of("", "en", "zh");

  private final Optional<String> email;
  private final Optional<String> displayName;
  private final Optional<String> language;
  private final Optional<String> extension;

  private ProfileFields(
      Optional<String> email,
      Optional<String> displayName,
      Optional<String> language,
      Optional<String> extension) {
    this.email = email;
    this.displayName = displayName;
    this.language = language;
    this.extension = extension;
  }

  /** Parses all fields that a user can change. */
  static ProfileFields of(Fields fields) {
    return read(fields, extension(fields));
  }

  /**
   * Like {@link #of}, but without the extension, which only clients of the API use; for sign-ups.
   */
  public static ProfileFields ofSignUp(Fields fields) {
    return read(fields, Optional.empty());
  }

  private static ProfileFields read(Fields fields, Optional<String> extension) {
    Optional<String> email = fields.optionalText("email");
    email
        .flatMap(ProfileFields::emailProblem)
        .ifPresent(problem -> fields.addProblem("email", problem));
    Optional<String> name = fields.optionalText("displayName", MAX_NAME_LENGTH);
    if (name.isPresent() && name.get().contains("\n")) {
      fields.addProblem("displayName", Message.of("error.field-control"));
    }
    Optional<String> language = fields.optionalText("language");
    if (language.isPresent() && !LANGUAGES.contains(language.get())) {
      fields.addProblem("language", Message.of("error.not-a-language", "value", language.get()));
    }
    return new ProfileFields(email, name.map(String::strip), language, extension);
  }

  public static Optional<Message> emailProblem(String text) {
    boolean valid =
        text.isEmpty() || (text.length() <= MAX_EMAIL_LENGTH && EMAIL.matcher(text).matches());
    return valid ? Optional.empty() : Optional.of(Message.of("error.not-an-email", "value", text));
  }

  private static Optional<String> extension(Fields fields) {
    Optional<String> text = fields.optionalObject("extension").map(JsonNode::toString);
    boolean tooLarge =
        text.isPresent() && text.get().getBytes(StandardCharsets.UTF_8).length > MAX_EXTENSION_SIZE;
    if (tooLarge) {
      fields.addProblem("extension", Message.of("error.field-long", "longest", MAX_EXTENSION_SIZE));
    }
    return text;
  }

  boolean isEmpty() {
    return email.isEmpty() && displayName.isEmpty() && language.isEmpty() && extension.isEmpty();
  }

  public Profile applyTo(Profile previous) {
    return new Profile(
        email.orElse(previous.email()),
        displayName.orElse(previous.displayName()),
        language.orElse(previous.language()),
        extension.orElse(previous.extension()));
  }
}
