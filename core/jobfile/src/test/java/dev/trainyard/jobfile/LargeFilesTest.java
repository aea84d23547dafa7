package dev.trainyard.jobfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Long files of kinds that a simple parser processes in more than linear time. Files of the maximum
 * length and the time limit are checked only while fuzzing, see {@link CpuTime}.
 */
class LargeFilesTest {
  private static final int LENGTH =
      CpuTime.IS_LIMITED ? JobFiles.MAX_LENGTH : JobFiles.MAX_LENGTH / 16;

  private static final String V1 = "{\"jobName\":\"a\",\"image\":\"i\",\"taskRoles\":[%s]%s}";
  private static final String ROLE_V1 = "{\"name\":\"r\",\"command\":\"%s\"%s}";
  private static final String HEAD =
      """
      protocolVersion: 2
      name: a
      type: job
      prerequisites:
      - {name: i, type: dockerimage, uri: i}
      """;
  private static final String ROLE =
      "{dockerImage: i, resourcePerInstance: {cpu: 1, memoryMB: 100, gpu: 0}, commands: [c]}";

  private static final String JOB = HEAD + "taskRoles: {r: " + ROLE + "}\n";
  private static final String PLUGINS = JOB + "extras:\n  com.microsoft.pai.runtimeplugin:\n";

  /** Repeats a piece as often as it fits; {@code @} is the number of the repetition. */
  private static String fill(String prefix, String piece, String suffix) {
    StringBuilder text = new StringBuilder(prefix);
    int limit = LENGTH - suffix.length() - piece.length() - 10;
    for (int i = 0; text.length() < limit; i++) {
      text.append(piece.replace("@", String.valueOf(i)));
    }
    return text.append(suffix).toString();
  }

  static Stream<Arguments> shapes() {
    Map<String, String> shapes = new LinkedHashMap<>();
    addJson(shapes);
    addYaml(shapes);
    addJobs(shapes);
    addTemplates(shapes);
    return shapes.entrySet().stream()
        .map(shape -> arguments(named(shape.getKey(), shape.getValue())));
  }

  private static void addJson(Map<String, String> shapes) {
    String role = ROLE_V1.formatted("c", "");
    for (String piece :
        new String[] {"{", "[", "\"", "\\", "{\"a\":", "{}", "[],", "1", ",", ":"}) {
      shapes.put("v1 only " + piece, fill("{", piece, ""));
    }
    shapes.put("v1 roles", fill("{\"jobName\":\"a\",\"taskRoles\":[", role + ",", role + "]}"));
    shapes.put("v1 unknown", fill("{", "\"jobNam@\":1,", "\"a\":1}"));
    shapes.put("v1 twice", fill("{", "\"jobName\":1,", "\"a\":1}"));
    shapes.put("v1 escapes", V1.formatted(ROLE_V1.formatted(fill("", "\\u00e9", ""), ""), ""));
    String deep = ("\"" + "k".repeat(64) + "\":{").repeat(45);
    shapes.put("v1 paths", fill("{" + deep, "\"a@\":1,", "\"a\":1" + "}".repeat(46)));
    shapes.put("v1 paths twice", fill("{" + deep, "\"a\":1,", "\"a\":1" + "}".repeat(46)));
    shapes.put(
        "v1 variables",
        fill(V1.formatted(role, ",\"jobEnvs\":{").replace("}}", "}"), "\"@=\":[],", "\"a\":1}}"));
    shapes.put("v1 ports", fill("{\"taskRoles\":[{\"portList\":[", "{\"label\":\"@\"},", "{}]}]}"));
    shapes.put("v1 broken late", fill(V1.formatted(role, "").replace("]}", ""), "," + role, ""));
  }

  private static void addYaml(Map<String, String> shapes) {
    for (String piece :
        new String[] {
          "[",
          "{",
          "- ",
          "? ",
          ": ",
          "a: ",
          "- a\n",
          "a\n",
          "\"",
          "'",
          "!a ",
          "&a ",
          "*a ",
          "#\n",
          "---\n",
          "\t",
          "  ",
          "\n",
          "|\n",
          ">\n a\n",
          "%TAG !a@ t\n",
          "[]: ",
          "{a: [",
          "a@: b\n",
          "- &a@\n",
          ", ",
          "\\",
          "\uFEFF",
          "- - a\n",
          "? [\n",
          "'a': {\n"
        }) {
      shapes.put("v2 only " + piece.strip(), fill(HEAD, piece, ""));
      shapes.put("v2 field " + piece.strip(), fill(HEAD + "extras: ", piece, ""));
    }
    shapes.put("v2 aliases", fill(HEAD + "extras:\n- &a b\n", "- *a\n", ""));
    shapes.put("v2 no aliases", fill(HEAD + "extras:\n", "- *a@\n", ""));
    shapes.put("v2 merges", fill(HEAD + "extras: {a: &a {b: c}, d: {", "<<: *a, ", "}}"));
    shapes.put("v2 merge lists", fill(HEAD + "extras: {a: &a {b: c}, d: {<<: [", "*a, ", "]}}"));
    shapes.put(
        "v2 wide merges",
        fill(
            fill(HEAD + "a: &a {", "k@: 1, ", "}\n").substring(0, LENGTH / 2) + "z: 1}\n",
            "- {<<: *a}\n",
            ""));
    shapes.put("v2 folded", fill(HEAD + "extras: ", "a\n  ", ""));
    shapes.put("v2 quoted lines", fill(HEAD + "extras: \"", "\n \n a\\\n", "\""));
    shapes.put("v2 block", fill(HEAD + "extras: |\n", "  a\n\n", ""));
    shapes.put("v2 long key", fill(HEAD + "? ", "k", "\n: 1\n"));
    shapes.put("v2 comments", fill(HEAD, "# comment\n", ""));
  }

  private static void addJobs(Map<String, String> shapes) {
    String role = ROLE;
    shapes.put("v2 roles", fill(HEAD + "taskRoles:\n", " r@: " + role + "\n", ""));
    shapes.put("v2 bad roles", fill(HEAD + "taskRoles:\n", " 0@: {comands: 1}\n", ""));
    String prerequisites = fill("", "- {name: d@, type: data}\n", "").substring(0, LENGTH / 2);
    shapes.put(
        "v2 prerequisites",
        HEAD
            + prerequisites.substring(0, prerequisites.lastIndexOf('-'))
            + fill("taskRoles: {r: {prerequisites: [", "d@, ", "]}}").substring(0, LENGTH / 2));
    shapes.put(
        "v2 ports",
        fill(HEAD + "taskRoles: {r: {resourcePerInstance: {ports: {", "p@: 1, ", "}}}}"));
    shapes.put("v2 commands", fill(HEAD + "taskRoles: {r: {commands: [", "c, ", "]}}"));
    shapes.put(
        "v2 deployments",
        fill(
            HEAD + "taskRoles: {r: " + role + "}\ndeployments:\n",
            "- {name: d@, taskRoles: {r: {preCommands: [c]}}}\n",
            ""));
    shapes.put("v2 storages", fill(JOB + "extras: {storages: [", "{name: s@}, ", "]}\n"));
    shapes.put(
        "v2 overlapping storages",
        fill(JOB + "extras: {storages: [", "{name: s@, mountPath: /a/b}, ", "]}\n"));
    String storages = PLUGINS + "  - {plugin: teamwise_storage, parameters: {storageConfigNames: [";
    shapes.put("v2 storages of a plugin", fill(storages, "s@, ", "]}}\n"));
    shapes.put(
        "v2 storages of plugins",
        fill(
            PLUGINS,
            "  - {plugin: teamwise_storage, parameters: {storageConfigNames: [s@]}}\n",
            ""));
    shapes.put(
        "v2 secrets", fill(HEAD + "secrets:\n", " s@: 😀\n", "taskRoles: {r: " + role + "}\n"));
  }

  private static void addTemplates(Map<String, String> shapes) {
    String prefix =
        HEAD
            + "taskRoles:\n"
            + " r:\n"
            + "  dockerImage: i\n"
            + "  resourcePerInstance: {cpu: 1, memoryMB: 100, gpu: 0}\n"
            + "  commands:\n"
            + "  - ";
    for (String piece :
        new String[] {
          "<%",
          "<%a@%>",
          "<%#a%>",
          "<%#a%><%/a%>",
          "<%$parameters.l%>",
          "%>",
          "<% $parameters.l[0] %>",
          "<%!c%>",
          "< % "
        }) {
      shapes.put("template " + piece, fill("parameters: {l: [a, b, [c]]}\n" + prefix, piece, ""));
    }
    shapes.put("template long name", fill(prefix + "<% $parameters", ".a", "%>"));
    shapes.put("template indices", fill(prefix + "<% $parameters.a", "[1]", "%>"));
    String list = fill("parameters: {l: [", ", ", "]}\n").substring(0, LENGTH * 2 / 5) + "]}\n";
    shapes.put("template long list", fill(list + prefix, "<%$parameters.l%>", ""));
    String lists = "parameters: {l: " + "[".repeat(45) + "]".repeat(45) + "}\n";
    shapes.put("template deep list", fill(lists + prefix, "<%$parameters.l%>", ""));
    String nested = "parameters: {a: &a " + "[".repeat(40) + "]".repeat(40) + ", l: [";
    String copies = fill(nested, "*a, ", "]}\n").substring(0, LENGTH / 6) + "]}\n";
    shapes.put("template copied lists", fill(copies + prefix, "<%$parameters.l%>", ""));
    String roles = fill(copies + HEAD + "taskRoles:\n", role("<%$parameters.l%>"), "");
    shapes.put("template roles", roles);
    String longRoles =
        fill(copies + HEAD + "taskRoles:\n", role("<%$parameters.l%>".repeat(100)), "");
    shapes.put("template long roles", longRoles);
    String secrets = list.replace("parameters", "secrets");
    shapes.put("template secrets", fill(secrets + prefix, "<%$secrets.l%>", ""));
    addPlugins(shapes);
    String tables = fill("parameters: {l: [", "{}, ", "]}\n").substring(0, LENGTH * 2 / 5) + "]}\n";
    shapes.put("template tables", fill(tables + prefix, "<%$parameters.l%>", ""));
  }

  private static void addPlugins(Map<String, String> shapes) {
    String plugin = "  - {plugin: cmd, parameters: {preCommands: ['";
    String secret = "secrets: {a: " + "x".repeat(Math.min(LENGTH / 4, 120_000)) + "}\n" + PLUGINS;
    shapes.put("plugin of secrets", fill(secret + plugin, "<%$secrets.a%>", "']}}\n"));
    shapes.put("plugins of secrets", fill(secret, plugin + "<%$secrets.a%>']}}\n", ""));
    String empty = "secrets: {a: ''}\n" + PLUGINS + plugin;
    shapes.put("plugin of empty secrets", fill(empty, "<%$secrets.a%>", "']}}\n"));
    String head = HEAD + "extras:\n  com.microsoft.pai.runtimeplugin:\n" + plugin + "<%', ";
    String numbers = fill(head, "1, ", "").substring(0, LENGTH / 4);
    String pluginList = numbers.substring(0, numbers.lastIndexOf(',')) + "]}}\n";
    shapes.put("plugin of numbers", fill(pluginList + "taskRoles:\n", role("c"), ""));
  }

  private static String role(String command) {
    return " r@: " + ROLE.replace("[c]", "['" + command + "']") + "\n";
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void parse_largeFile(String text) {
    ParsedJob job = CpuTime.runWithinLimit(text.length(), () -> JobFiles.parse(text));
    assertThat(job.spec().isPresent()).isEqualTo(job.problems().isEmpty());
    assertThat(job.problems()).hasSizeLessThanOrEqualTo(Problems.MAX_PROBLEMS + 1);
  }
}
