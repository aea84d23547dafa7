package dev.trainyard.server.openpai;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.trainyard.jobfile.JobFiles;
import dev.trainyard.server.http.Json;
import dev.trainyard.server.job.JobConfig;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A job file as OpenPAI returns it: as JSON, which is also YAML, with the values of secrets masked.
 * Older servers stored files without the names of the secrets; this class restores the names that
 * the file refers to.
 */
final class ConfigText {
  private static final String SECRETS = "secrets";
  private static final String MASK = "******";
  private static final Pattern QUOTED =
      Pattern.compile("<%\\s*\\$secrets\\.([A-Za-z0-9_.-]{1,255})\\s*%>");

  private ConfigText() {}

  static String of(JobConfig config) {
    String shown = JobFiles.textForOwner(config.raw());
    Map<String, Object> fields = new LinkedHashMap<>(JobFiles.plain(shown));
    if (fields.containsKey(SECRETS) && !(fields.get(SECRETS) instanceof Map)) {
      Map<String, String> masked = new LinkedHashMap<>();
      Matcher matcher = QUOTED.matcher(config.raw());
      while (matcher.find()) {
        masked.put(matcher.group(1), MASK);
      }
      fields.put(SECRETS, masked);
    }
    try {
      return Json.MAPPER.writeValueAsString(fields);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
