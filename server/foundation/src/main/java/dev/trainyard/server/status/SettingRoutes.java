package dev.trainyard.server.status;

import dev.trainyard.server.config.DatabasePassword;
import dev.trainyard.server.config.Setting;
import dev.trainyard.server.config.Settings;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Routes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * {@code GET /api/v3/settings}, for administrators: the settings with which this server was
 * started.
 */
public final class SettingRoutes {
  private final Settings settings;

  public SettingRoutes(Settings settings) {
    this.settings = settings;
  }

  public void addTo(Routes routes) {
    routes.add("GET", "/api/v3/settings", Access.ADMIN, _ -> Map.of("settings", all()));
  }

  private List<Map<String, Object>> all() {
    return Settings.ALL.stream().map(this::view).toList();
  }

  private Map<String, Object> view(Setting<?> setting) {
    Settings.RawValue rawValue = settings.rawValue(setting);
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("name", setting.name());
    view.put("variable", setting.environmentVariable());
    view.put("value", DatabasePassword.mask(rawValue.text()));
    view.put("default", setting.defaultText());
    view.put("source", rawValue.source().name().toLowerCase(Locale.ROOT));
    view.put("description", setting.description().english());
    view.put("descriptionCode", setting.description().code());
    return view;
  }
}
