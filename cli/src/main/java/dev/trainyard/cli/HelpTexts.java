package dev.trainyard.cli;

import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.Map;
import java.util.ResourceBundle;

/** Resource bundle with the help texts of one language under the keys that picocli looks up. */
final class HelpTexts extends ResourceBundle {
  private static final String COMMAND_PREFIX = "cli.command.";
  private static final String OPTION_PREFIX = "cli.option.";
  private static final String USAGE_PREFIX = "cli.usage.";

  private final Map<String, String> texts = new HashMap<>();

  HelpTexts(Localizer localizer) {
    for (String code : localizer.messages().codes()) {
      String text = localizer.messages().template(code);
      if (code.equals("cli.command.trainyard")) {
        texts.put("trainyard.usage.description", text);
      } else if (code.startsWith(COMMAND_PREFIX)) {
        texts.put(
            "trainyard." + code.substring(COMMAND_PREFIX.length()) + ".usage.description", text);
      } else if (code.startsWith(OPTION_PREFIX)) {
        String key = code.substring(OPTION_PREFIX.length());
        texts.put(key.contains(".") ? "trainyard." + key : key, text);
      } else if (code.startsWith(USAGE_PREFIX)) {
        texts.put("usage." + code.substring(USAGE_PREFIX.length()), text);
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
