package dev.trainyard.server.oidc;

import dev.trainyard.model.Message;
import dev.trainyard.model.Messages;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import java.util.Locale;

/** Creates responses that a browser displays as plain text, which cannot contain active content. */
final class PlainPage {
  private PlainPage() {}

  static Reply of(int status, Message message, Request request) {
    String language = request.header("Accept-Language").orElse("").strip();
    boolean chinese = language.toLowerCase(Locale.ROOT).startsWith("zh");
    Messages messages = chinese ? Messages.CHINESE : Messages.ENGLISH;
    return Reply.of(status, messages.text(message) + "\n");
  }

  static boolean acceptsHtml(Request request) {
    return request.header("Accept").orElse("").contains("text/html");
  }
}
