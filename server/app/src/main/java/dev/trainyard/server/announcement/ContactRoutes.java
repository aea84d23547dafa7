package dev.trainyard.server.announcement;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.trainyard.model.Message;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Fields;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import java.net.URI;
import java.time.InstantSource;
import java.util.regex.Pattern;

/**
 * {@code /api/v3/contact}: the contact information, which can be read without signing in and
 * changed by administrators.
 */
public final class ContactRoutes {
  private static final int MAX_TEXT_LENGTH = 1000;
  private static final int MAX_VALUE_LENGTH = 300;
  private static final Pattern EMAIL = Pattern.compile("[^\\s@<>\"]+@[^\\s@<>\"]+");

  private final Db db;
  private final Audit audit;

  public ContactRoutes(Db db, InstantSource clock) {
    this.db = db;
    this.audit = new Audit(clock);
  }

  public void addTo(Routes routes) {
    routes.add("GET", "/api/v3/contact", Access.PUBLIC, _ -> db.read(ContactStore::load).view());
    routes.add("PUT", "/api/v3/contact", Access.ADMIN, this::change);
  }

  private Object change(Request request) {
    Contact contact = read(request.json());
    db.write(
        handle -> {
          Contact before = ContactStore.load(handle);
          ContactStore.save(handle, contact);
          audit.record(
              handle,
              Actor.of(request),
              "contact.change",
              "contact",
              before.view(),
              contact.view());
          return null;
        });
    return contact.view();
  }

  static Contact read(JsonNode json) {
    Fields fields = new Fields(json);
    JsonNode text = fields.optionalObject("text").orElseGet(JsonNodeFactory.instance::objectNode);
    Fields texts = new Fields(text);
    String link = line(fields, "link");
    if (!link.isEmpty() && !isWebAddress(link)) {
      fields.addProblem("link", Message.of("error.not-a-web-address"));
    }
    String email = line(fields, "email");
    if (!email.isEmpty() && !EMAIL.matcher(email).matches()) {
      fields.addProblem("email", Message.of("error.not-an-email"));
    }
    String qrCode = line(fields, "qrCode");
    fields.check();
    String en = texts.optionalText("en", MAX_TEXT_LENGTH).orElse("").strip();
    String zh = texts.optionalText("zh", MAX_TEXT_LENGTH).orElse("").strip();
    texts.check();
    return new Contact(withoutControls(en), withoutControls(zh), link, email, qrCode);
  }

  private static String line(Fields fields, String name) {
    String value = fields.optionalText(name, MAX_VALUE_LENGTH).orElse("").strip();
    return withoutControls(value).replace("\n", "");
  }

  /** Removes control and formatting characters, which could change the direction of other text. */
  private static String withoutControls(String text) {
    return text.replaceAll("[\\p{Cc}\\p{Cf}&&[^\n]]", "");
  }

  private static boolean isWebAddress(String text) {
    try {
      URI uri = URI.create(text);
      return ("http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme()))
          && uri.getHost() != null
          && uri.getRawUserInfo() == null;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
