package dev.trainyard.cli;

import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.Map;
import java.util.ResourceBundle;

/** Resource bundle with the help texts of one language under the keys that picocli looks up. */
final class HelpTexts extends ResourceBundle {
  private static final String COMMAND = "cli.command.";
  private static final String OPTION = "cli.option.";
  private static final String USAGE = "cli.usage.";

  private final Map<String, String> texts = new HashMap<>();

  HelpTexts(Localizer localizer) {
    for (String code : localizer.messages().codes()) {
      String text = localizer.messages().template(code);
      if (code.equals("cli.command.trainyard")) {
        texts.put("trainyard.usage.description", text);
      } else if (code.startsWith(COMMAND)) {
        texts.put("trainyard." + code.substring(COMMAND.length()) + ".usage.description", text);
      } else if (code.startsWith(OPTION)) {
        String key = code.substring(OPTION.length());
        texts.put(key.contains(".") ? "trainyard." + key : key, text);
      } else if (code.startsWith(USAGE)) {
        texts.put("usage." + code.substring(USAGE.length()), text);
      }
    }
  }

  @Override
  protected Object handleGetObject(String key) {
    return texts.get(key);
  }

  @Override
  public Enumeration<String> getKeys() {
    return Collections.enumeration(texts.keySet());
  }
}
