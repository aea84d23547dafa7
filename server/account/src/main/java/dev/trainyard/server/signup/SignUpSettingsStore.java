package dev.trainyard.server.signup;

import org.jdbi.v3.core.Handle;

/** SQL statements for {@link SignUpSettings}. */
final class SignUpSettingsStore {
  private static final String NAME = "signup";

  private SignUpSettingsStore() {}

  static SignUpSettings load(Handle handle) {
    return handle
        .createQuery("select value_json from runtime_setting where name = :name")
        .bind("name", NAME)
        .mapTo(String.class)
        .findOne()
        .map(SignUpSettings::parse)
        .orElse(SignUpSettings.DEFAULT);
  }

  static void save(Handle handle, SignUpSettings settings) {
    handle.execute(
        "insert into runtime_setting (name, value_json) values (?, ?)"
            + " on conflict (name) do update set value_json = excluded.value_json",
        NAME,
        settings.json());
  }
}
