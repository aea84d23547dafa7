package dev.trainyard.server.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.server.config.Settings;
import dev.trainyard.server.config.SettingsReader;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.FakeRequest;
import dev.trainyard.server.http.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SettingRoutesTest {
  @Test
  void settings_showSourceAndMaskPasswords() {
    Settings settings =
        SettingsReader.read(
            Map.of("db", "jdbc:postgresql://u:hush@h/d?user=u&password=hush&ssl=true"),
            Map.of("TRAINYARD_PORT", "1234"));
    FakeRequest.Table table = new FakeRequest.Table();
    new SettingRoutes(settings).addTo(table);
    Caller root = new Caller("u0", "root", true, "t");
    var view =
        Json.MAPPER.valueToTree(table.call("GET /api/v3/settings", FakeRequest.by(root)).body());
    assertThat(view.toString()).doesNotContain("hush").contains("ssl=true", "******");
    assertThat(view.get("settings").findValuesAsText("source"))
        .contains("option", "environment", "default");
    assertThat(view.get("settings")).hasSize(Settings.ALL.size());
  }
}
