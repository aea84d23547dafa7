package dev.trainyard.server.announcement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.trainyard.model.AppException;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.http.Json;
import org.junit.jupiter.api.Test;

@EveryDatabase
class ContactRoutesTest {
  private final Db db;

  ContactRoutesTest(Db db) {
    this.db = db;
  }

  private static ObjectNode json() {
    ObjectNode json = Json.MAPPER.createObjectNode();
    json.putObject("text").put("en", "Ask in the forum\nor by mail").put("zh", "请在社区提问");
    return json.put("link", "https://forum.example/a").put("email", "help@example.org");
  }

  @Test
  void save_contact_isLoadedUnchanged() {
    Contact contact = ContactRoutes.read(json().put("qrCode", "https://chat.example/群"));
    assertThat(db.read(ContactStore::load)).isEqualTo(Contact.EMPTY);
    db.write(
        handle -> {
          ContactStore.save(handle, contact);
          ContactStore.save(handle, contact);
          return null;
        });
    assertThat(db.read(ContactStore::load)).isEqualTo(contact);
    assertThat(contact.textEn()).isEqualTo("Ask in the forum\nor by mail");
  }

  @Test
  void read_unsafeOrLongValues_areRejectedOrRemoved() {
    for (String link : new String[] {"javascript:alert(1)", "data:text/html,x", "//x", "http:/"}) {
      assertThatThrownBy(() -> ContactRoutes.read(json().put("link", link)))
          .as(link)
          .isInstanceOf(AppException.class);
    }
    assertThatThrownBy(() -> ContactRoutes.read(json().put("email", "<b>@x")))
        .isInstanceOf(AppException.class);
    assertThatThrownBy(() -> ContactRoutes.read(json().put("qrCode", "x".repeat(301))))
        .isInstanceOf(AppException.class);
    ObjectNode controls = json();
    controls.putObject("text").put("en", "a\u202eb");
    assertThat(ContactRoutes.read(controls).textEn()).isEqualTo("ab");
    controls.putObject("text").put("en", "a\u001b[31mb");
    assertThatThrownBy(() -> ContactRoutes.read(controls)).isInstanceOf(AppException.class);
    controls.putObject("text").put("en", "x".repeat(1001));
    assertThatThrownBy(() -> ContactRoutes.read(controls)).isInstanceOf(AppException.class);
  }
}
