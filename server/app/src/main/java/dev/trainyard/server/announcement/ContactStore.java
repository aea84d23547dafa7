package dev.trainyard.server.announcement;

import org.jdbi.v3.core.Handle;

/** SQL statements for {@link Contact}. */
final class ContactStore {
  private static final String NAME = "contact";

  private ContactStore() {}

  static Contact load(Handle handle) {
    return handle
        .createQuery("select value_json from runtime_setting where name = :name")
        .bind("name", NAME)
        .mapTo(String.class)
        .findOne()
        .map(Contact::parse)
        .orElse(Contact.EMPTY);
  }

  static void save(Handle handle, Contact contact) {
    handle.execute(
        "insert into runtime_setting (name, value_json) values (?, ?)"
            + " on conflict (name) do update set value_json = excluded.value_json",
        NAME,
        contact.json());
  }
}
