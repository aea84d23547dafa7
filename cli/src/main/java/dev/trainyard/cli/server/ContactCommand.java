package dev.trainyard.cli.server;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.PlainText;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** {@code contact}: shows or sets how users reach the administrators. */
@picocli.CommandLine.Command(name = "contact")
public final class ContactCommand extends Command {
  private static final String PATH = "/api/v3/contact";

  public ContactCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    print(api().read(PATH));
    return ExitCode.OK;
  }

  /** Sets the given values; an empty value removes the stored one. Other values stay unchanged. */
  @picocli.CommandLine.Command(name = "set")
  int set(
      @Option(names = "--text-en", paramLabel = "TEXT") String textEn,
      @Option(names = "--text-zh", paramLabel = "TEXT") String textZh,
      @Option(names = "--link", paramLabel = "URL") String link,
      @Option(names = "--email", paramLabel = "EMAIL") String email,
      @Option(names = "--qr-code", paramLabel = "TEXT") String qrCode) {
    Json before = api().read(PATH);
    Map<String, Object> text = new LinkedHashMap<>();
    text.put("en", textEn == null ? before.at("text").string("en") : textEn);
    text.put("zh", textZh == null ? before.at("text").string("zh") : textZh);
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("text", text);
    fields.put("link", link == null ? before.string("link") : link);
    fields.put("email", email == null ? before.string("email") : email);
    fields.put("qrCode", qrCode == null ? before.string("qrCode") : qrCode);
    print(api().put(PATH, fields));
    return ExitCode.OK;
  }

  private void print(Json contact) {
    if (session().json()) {
      terminal().line(contact.pretty());
      return;
    }
    Json text = contact.at("text");
    String shown = text.string(localizer().language());
    String other = text.string(localizer().language().equals("zh") ? "en" : "zh");
    boolean any = false;
    for (String value :
        new String[] {
          shown.isEmpty() ? other : shown,
          contact.string("link"),
          contact.string("email"),
          contact.string("qrCode")
        }) {
      if (!value.isEmpty()) {
        any = true;
        value.lines().forEach(line -> terminal().line(PlainText.of(line)));
      }
    }
    if (!any) {
      terminal().note(text("cli.contact.none"));
    }
  }
}
