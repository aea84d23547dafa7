package dev.trainyard.jobfile;

import dev.trainyard.model.JobExtras;
import dev.trainyard.model.JobFormat;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import dev.trainyard.model.Prerequisite;
import dev.trainyard.model.RetryRule;
import dev.trainyard.model.RoleSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A job file converted to another format.
 *
 * @param file fields of the new file
 * @param yaml the new file as text
 * @param notes differences from the original
 */
public record Conversion(Map<String, Object> file, String yaml, List<Message> notes) {
  private static final String IMAGE = "image";

  public Conversion {
    file = Collections.unmodifiableMap(new LinkedHashMap<>(file));
    notes = List.copyOf(notes);
  }

  /**
   * Converts to OpenPAI v2; a file of that format is returned unchanged. Only for files without
   * problems.
   */
  public static Conversion toV2(String text) {
    JobSpec spec =
        JobFiles.parse(text)
            .spec()
            .orElseThrow(() -> new IllegalArgumentException("invalid job file"));
    Map<String, Object> originalFields = JobFiles.plain(text);
    if (spec.format() == JobFormat.OPENPAI_V2) {
      return new Conversion(originalFields, text, List.of());
    }
    List<Message> notes = new ArrayList<>();
    Map<String, Object> file = new LinkedHashMap<>();
    file.put("protocolVersion", 2);
    file.put("name", spec.name().replaceAll("[^A-Za-z0-9_-]", "-"));
    noteChange(spec.name(), (String) file.get("name"), notes);
    file.put("type", "job");
    file.put("jobRetryCount", convertRetryCount(spec, notes));
    Map<String, Object> image = new LinkedHashMap<>();
    image.put("name", IMAGE);
    image.put("type", Prerequisite.IMAGE);
    image.put("uri", spec.image());
    List<Map<String, Object>> prerequisites = new ArrayList<>(List.of(image));
    outputUri(spec).ifPresent(uri -> prerequisites.add(convertOutput(uri)));
    file.put("prerequisites", prerequisites);
    file.put("taskRoles", convertRoles(spec, notes));
    file.put("defaults", Map.of("virtualCluster", spec.virtualCluster()));
    Map<String, Object> extras = convertExtras(spec, originalFields);
    if (!extras.isEmpty()) {
      file.put("extras", extras);
    }
    noteLostFields(spec, notes);
    return new Conversion(file, YamlText.of(file), notes);
  }

  private static void noteChange(String oldName, String newName, List<Message> notes) {
    if (!oldName.equals(newName)) {
      notes.add(
          Message.of("jobfile.convert-name", "before", Excerpt.quoted(oldName))
              .with("after", Excerpt.quoted(newName)));
    }
  }

  /** Returns the output directory in the form of v2; empty if v2 cannot express it. */
  private static Optional<String> outputUri(JobSpec spec) {
    String uri = DirectoryVariables.substitute(spec.outputDir(), spec.name(), "$PAI_USER_NAME");
    return Optional.of(uri).filter(new OpenPaiV2Output(JobExtras.NONE)::isSaved);
  }

  private static Map<String, Object> convertOutput(String uri) {
    Map<String, Object> output = new LinkedHashMap<>();
    output.put("name", Prerequisite.OUTPUT);
    output.put("type", Prerequisite.OUTPUT);
    output.put("uri", uri);
    return output;
  }

  private static int convertRetryCount(JobSpec spec, List<Message> notes) {
    if (spec.retryCount() == RetryRule.ALWAYS) {
      notes.add(Message.of("jobfile.convert-always"));
    }
    return spec.retryCount() < 0 ? Integer.MAX_VALUE : spec.retryCount();
  }

  private static Map<String, Object> convertExtras(
      JobSpec spec, Map<String, Object> originalFields) {
    Map<String, Object> extras = new LinkedHashMap<>();
    if (originalFields.get("extras") instanceof Map<?, ?> section) {
      section.forEach((name, value) -> extras.put(String.valueOf(name), value));
    }
    Optional<String> type =
        spec.roles().stream()
            .map(role -> role.resources().deviceType())
            .filter(candidate -> !candidate.isEmpty())
            .findFirst();
    if (type.isPresent()) {
      Map<String, Object> trainyardExtras = new LinkedHashMap<>();
      if (extras.get("trainyard") instanceof Map<?, ?> section) {
        section.forEach((name, value) -> trainyardExtras.put(String.valueOf(name), value));
      }
      trainyardExtras.put("gpuType", type.get());
      extras.put("trainyard", trainyardExtras);
    }
    return extras;
  }

  private static Map<String, Object> convertRoles(JobSpec spec, List<Message> notes) {
    Map<String, Object> roles = new LinkedHashMap<>();
    Set<String> names = new HashSet<>();
    for (RoleSpec role : spec.roles()) {
      String name = toUniqueName(role.name(), names);
      noteChange(role.name(), name, notes);
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("instances", role.taskCount());
      Map<String, Object> completion = new LinkedHashMap<>();
      completion.put("minFailedInstances", role.minFailed() == 0 ? -1 : role.minFailed());
      completion.put("minSucceededInstances", role.minSucceeded() == 0 ? -1 : role.minSucceeded());
      fields.put("completion", completion);
      fields.put("dockerImage", IMAGE);
      if (outputUri(spec).isPresent()) {
        fields.put(Prerequisite.OUTPUT, Prerequisite.OUTPUT);
      }
      long sharedMegabytes = role.resources().sharedMemory().megabytes();
      fields.put("extraContainerOptions", Map.of("shmMB", sharedMegabytes));
      fields.put("resourcePerInstance", convertResources(role, notes));
      fields.put("commands", ConvertedCommands.of(spec, role, notes));
      roles.put(name, fields);
    }
    return roles;
  }

  private static Map<String, Object> convertResources(RoleSpec role, List<Message> notes) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("cpu", role.resources().cpus());
    fields.put("memoryMB", role.resources().memory().megabytes());
    fields.put("gpu", role.resources().devices());
    Map<String, Object> ports = new LinkedHashMap<>();
    Set<String> labels = new HashSet<>();
    role.ports()
        .forEach(
            port -> {
              String label = toUniqueName(port.label(), labels);
              noteChange(port.label(), label, notes);
              ports.put(label, port.count());
              if (port.beginAt() > 0) {
                String shownLabel = Excerpt.quoted(port.label());
                notes.add(Message.of("jobfile.convert-port", "label", shownLabel));
              }
            });
    if (!ports.isEmpty()) {
      fields.put("ports", ports);
    }
    return fields;
  }

  /** Returns a unique name that v2 allows. */
  private static String toUniqueName(String name, Set<String> usedNames) {
    String allowedCharacters = name.replaceAll("[^A-Za-z0-9_]", "_");
    String validName =
        Character.isDigit(allowedCharacters.charAt(0))
            ? "_" + allowedCharacters
            : allowedCharacters;
    String uniqueName = validName;
    for (int i = 2; !usedNames.add(uniqueName); i++) {
      uniqueName = validName + "_" + i;
    }
    return uniqueName;
  }

  private static void noteLostFields(JobSpec spec, List<Message> notes) {
    if (!spec.authFile().isEmpty()) {
      notes.add(Message.of("jobfile.convert-lost", "name", "authFile"));
    }
    if (spec.keepFailed() > 0) {
      notes.add(Message.of("jobfile.convert-lost", "name", "isDebug"));
    }
    if (!spec.outputDir().isEmpty() && outputUri(spec).isEmpty()) {
      notes.add(Message.of("jobfile.convert-output"));
    }
  }
}
