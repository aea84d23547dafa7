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
 * Long files in shapes that a naive parser processes in more than linear time. Files of the maximum
 * length, and the time they take, are checked only on request, see {@link CpuTime}.
 */
class LargeFilesTest {
  private static final int LENGTH = CpuTime.JUDGED ? JobFiles.MAX_LENGTH : JobFiles.MAX_LENGTH / 16;

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
  private static String filled(String before, String piece, String after) {
    StringBuilder text = new StringBuilder(before);
    int limit = LENGTH - after.length() - piece.length() - 10;
    for (int i = 0; text.length() < limit; i++) {
      text.append(piece.replace("@", String.valueOf(i)));
    }
    return text.append(after).toString();
  }

  static Stream<Arguments> shapes() {
    Map<String, String> shapes = new LinkedHashMap<>();
    json(shapes);
    yaml(shapes);
    jobs(shapes);
    templates(shapes);
    return shapes.entrySet().stream()
        .map(shape -> arguments(named(shape.getKey(), shape.getValue())));
  }

  private static void json(Map<String, String> shapes) {
    String role = ROLE_V1.formatted("c", "");
    for (String piece :
        new String[] {"{", "[", "\"", "\\", "{\"a\":", "{}", "[],", "1", ",", ":"}) {
      shapes.put("v1 only " + piece, filled("{", piece, ""));
    }
    shapes.put("v1 roles", filled("{\"jobName\":\"a\",\"taskRoles\":[", role + ",", role + "]}"));
    shapes.put("v1 unknown", filled("{", "\"jobNam@\":1,", "\"a\":1}"));
    shapes.put("v1 twice", filled("{", "\"jobName\":1,", "\"a\":1}"));
    shapes.put("v1 escapes", V1.formatted(ROLE_V1.formatted(filled("", "\\u00e9", ""), ""), ""));
    String deep = ("\"" + "k".repeat(64) + "\":{").repeat(45);
    shapes.put("v1 paths", filled("{" + deep, "\"a@\":1,", "\"a\":1" + "}".repeat(46)));
    shapes.put("v1 paths twice", filled("{" + deep, "\"a\":1,", "\"a\":1" + "}".repeat(46)));
    shapes.put(
        "v1 variables",
        filled(V1.formatted(role, ",\"jobEnvs\":{").replace("}}", "}"), "\"@=\":[],", "\"a\":1}}"));
    shapes.put(
        "v1 ports", filled("{\"taskRoles\":[{\"portList\":[", "{\"label\":\"@\"},", "{}]}]}"));
    shapes.put("v1 broken late", filled(V1.formatted(role, "").replace("]}", ""), "," + role, ""));
  }

  private static void yaml(Map<String, String> shapes) {
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
      shapes.put("v2 only " + piece.strip(), filled(HEAD, piece, ""));
      shapes.put("v2 field " + piece.strip(), filled(HEAD + "extras: ", piece, ""));
    }
    shapes.put("v2 aliases", filled(HEAD + "extras:\n- &a b\n", "- *a\n", ""));
    shapes.put("v2 no aliases", filled(HEAD + "extras:\n", "- *a@\n", ""));
    shapes.put("v2 merges", filled(HEAD + "extras: {a: &a {b: c}, d: {", "<<: *a, ", "}}"));
    shapes.put("v2 merge lists", filled(HEAD + "extras: {a: &a {b: c}, d: {<<: [", "*a, ", "]}}"));
    shapes.put(
        "v2 wide merges",
        filled(
            filled(HEAD + "a: &a {", "k@: 1, ", "}\n").substring(0, LENGTH / 2) + "z: 1}\n",
            "- {<<: *a}\n",
            ""));
    shapes.put("v2 folded", filled(HEAD + "extras: ", "a\n  ", ""));
    shapes.put("v2 quoted lines", filled(HEAD + "extras: \"", "\n \n a\\\n", "\""));
    shapes.put("v2 block", filled(HEAD + "extras: |\n", "  a\n\n", ""));
    shapes.put("v2 long key", filled(HEAD + "? ", "k", "\n: 1\n"));
    shapes.put("v2 comments", filled(HEAD, "# comment\n", ""));
  }

  private static void jobs(Map<String, String> shapes) {
    String role = ROLE;
    shapes.put("v2 roles", filled(HEAD + "taskRoles:\n", " r@: " + role + "\n", ""));
    shapes.put("v2 bad roles", filled(HEAD + "taskRoles:\n", " 0@: {comands: 1}\n", ""));
    String prerequisites = filled("", "- {name: d@, type: data}\n", "").substring(0, LENGTH / 2);
    shapes.put(
        "v2 prerequisites",
        HEAD
            + prerequisites.substring(0, prerequisites.lastIndexOf('-'))
            + filled("taskRoles: {r: {prerequisites: [", "d@, ", "]}}").substring(0, LENGTH / 2));
    shapes.put(
        "v2 ports",
        filled(HEAD + "taskRoles: {r: {resourcePerInstance: {ports: {", "p@: 1, ", "}}}}"));
    shapes.put("v2 commands", filled(HEAD + "taskRoles: {r: {commands: [", "c, ", "]}}"));
    shapes.put(
        "v2 deployments",
        filled(
            HEAD + "taskRoles: {r: " + role + "}\ndeployments:\n",
            "- {name: d@, taskRoles: {r: {preCommands: [c]}}}\n",
            ""));
    shapes.put("v2 storages", filled(JOB + "extras: {storages: [", "{name: s@}, ", "]}\n"));
    shapes.put(
        "v2 overlapping storages",
        filled(JOB + "extras: {storages: [", "{name: s@, mountPath: /a/b}, ", "]}\n"));
    String storages = PLUGINS + "  - {plugin: teamwise_storage, parameters: {storageConfigNames: [";
    shapes.put("v2 storages of a plugin", filled(storages, "s@, ", "]}}\n"));
    shapes.put(
        "v2 storages of plugins",
        filled(
            PLUGINS,
            "  - {plugin: teamwise_storage, parameters: {storageConfigNames: [s@]}}\n",
            ""));
    shapes.put(
        "v2 secrets", filled(HEAD + "secrets:\n", " s@: 😀\n", "taskRoles: {r: " + role + "}\n"));
  }

  private static void templates(Map<String, String> shapes) {
    String before =
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
      shapes.put("template " + piece, filled("parameters: {l: [a, b, [c]]}\n" + before, piece, ""));
    }
    shapes.put("template long name", filled(before + "<% $parameters", ".a", "%>"));
    shapes.put("template indices", filled(before + "<% $parameters.a", "[1]", "%>"));
    String list = filled("parameters: {l: [", ", ", "]}\n").substring(0, LENGTH * 2 / 5) + "]}\n";
    shapes.put("template long list", filled(list + before, "<%$parameters.l%>", ""));
    String lists = "parameters: {l: " + "[".repeat(45) + "]".repeat(45) + "}\n";
    shapes.put("template deep list", filled(lists + before, "<%$parameters.l%>", ""));
    String nested = "parameters: {a: &a " + "[".repeat(40) + "]".repeat(40) + ", l: [";
    String copies = filled(nested, "*a, ", "]}\n").substring(0, LENGTH / 6) + "]}\n";
    shapes.put("template copied lists", filled(copies + before, "<%$parameters.l%>", ""));
    String roles = filled(copies + HEAD + "taskRoles:\n", role("<%$parameters.l%>"), "");
    shapes.put("template roles", roles);
    String many = filled(copies + HEAD + "taskRoles:\n", role("<%$parameters.l%>".repeat(100)), "");
    shapes.put("template long roles", many);
    String secrets = list.replace("parameters", "secrets");
    shapes.put("template secrets", filled(secrets + before, "<%$secrets.l%>", ""));
    plugins(shapes);
    String tables =
        filled("parameters: {l: [", "{}, ", "]}\n").substring(0, LENGTH * 2 / 5) + "]}\n";
    shapes.put("template tables", filled(tables + before, "<%$parameters.l%>", ""));
  }

  private static void plugins(Map<String, String> shapes) {
    String plugin = "  - {plugin: cmd, parameters: {preCommands: ['";
    String secret = "secrets: {a: " + "x".repeat(Math.min(LENGTH / 4, 120_000)) + "}\n" + PLUGINS;
    shapes.put("plugin of secrets", filled(secret + plugin, "<%$secrets.a%>", "']}}\n"));
    shapes.put("plugins of secrets", filled(secret, plugin + "<%$secrets.a%>']}}\n", ""));
    String empty = "secrets: {a: ''}\n" + PLUGINS + plugin;
    shapes.put("plugin of empty secrets", filled(empty, "<%$secrets.a%>", "']}}\n"));
    String head = HEAD + "extras:\n  com.microsoft.pai.runtimeplugin:\n" + plugin + "<%', ";
    String numbers = filled(head, "1, ", "").substring(0, LENGTH / 4);
    String ended = numbers.substring(0, numbers.lastIndexOf(',')) + "]}}\n";
    shapes.put("plugin of numbers", filled(ended + "taskRoles:\n", role("c"), ""));
  }

  private static String role(String command) {
    return " r@: " + ROLE.replace("[c]", "['" + command + "']") + "\n";
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void parse_largest(String text) {
    ParsedJob job = CpuTime.judged(text.length(), () -> JobFiles.parse(text));
    assertThat(job.spec().isPresent()).isEqualTo(job.problems().isEmpty());
    assertThat(job.problems()).hasSizeLessThanOrEqualTo(Problems.LIMIT + 1);
  }
}
