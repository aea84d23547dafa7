package dev.trainyard.jobfile;

import static org.junit.jupiter.api.Named.named;

import dev.trainyard.model.JobFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Seeds for fuzzing: real files, and small files of the kinds that are known to break parsers. */
final class FuzzSeeds {
  private static final String V1 =
      "{\"jobName\":\"a\",\"image\":\"i\",\"taskRoles\":[{\"name\":\"r\",\"command\":\"c\"}]%s}";

  private static final String V2 =
      """
      protocolVersion: 2
      name: a
      type: job
      prerequisites: [{name: i, type: dockerimage, uri: i}]
      %s
      taskRoles:
        r:
          dockerImage: i
          resourcePerInstance: {cpu: 1, memoryMB: 100, gpu: 0}
          commands:
            - %s
      """;

  private FuzzSeeds() {}

  static Stream<Arguments> v1() throws IOException {
    Map<String, String> seeds = files(JobFormat.OPENPAI_V1);
    seeds.put("minimal", V1.formatted(""));
    seeds.put("deep", V1.formatted(",\"extras\":" + "[".repeat(48) + "]".repeat(48)));
    seeds.put("too deep", "{\"a\":".repeat(60));
    seeds.put("open", "[".repeat(2000));
    seeds.put("huge number", V1.formatted(",\"retryCount\":1" + "0".repeat(390)));
    seeds.put("tiny number", V1.formatted(",\"extras\":{\"a\":1e-999999999,\"b\":-0.0}"));
    seeds.put("long number", V1.formatted(",\"retryCount\":" + "9".repeat(1000)));
    seeds.put("unicode", V1.formatted(",\"extras\":{\"😀\":\"\\ud83d\\ude00 \\ud800 é\"}"));
    seeds.put("control", "\uFEFF{\"jobName\":\"\\u0000\",\"image\":\"\t\"}");
    seeds.put("twice", V1.formatted(",\"image\":\"j\",\"image\":\"k\""));
    seeds.put("trailing", V1.formatted("") + "}");
    seeds.put("comment", "{// no\n\"jobName\":NaN,}");
    seeds.put("variables", V1.formatted(",\"jobEnvs\":{\"A=\":1,\"\":null,\"B\":\"\\n\"}"));
    seeds.put("secrets", V1.formatted(",\"secrets\":{\"s\":\"t\"}"));
    return arguments(seeds);
  }

  static Stream<Arguments> v2() throws IOException {
    Map<String, String> seeds = files(JobFormat.OPENPAI_V2);
    seeds.put("minimal", V2.formatted("", "c"));
    seeds.put("flow", "{protocolVersion: 2, name: a, type: job, taskRoles: {r: {commands: [c]}}}");
    seeds.put("deep", V2.formatted("parameters: " + "[".repeat(48) + "]".repeat(48), "c"));
    seeds.put("deep blocks", V2.formatted("extras: " + "- ".repeat(100), "c"));
    seeds.put("keys of keys", "? ? ? ? ? [{[{a: b}: c]: d}]");
    seeds.put("bomb", aliasBomb());
    seeds.put("merge", V2.formatted("extras: {a: &a {b: 1}, c: {<<: [*a, *a], b: 2}}", "c"));
    seeds.put("itself", V2.formatted("parameters: &p {a: *p, b: *q}", "<% $parameters.a %>"));
    seeds.put("numbers", V2.formatted("parameters: {a: 1:30, b: 0b1_0, c: 0o7, d: -.inf}", "c"));
    seeds.put("more numbers", V2.formatted("parameters: {a: 010, b: 1e400, c: .5_, d: +1}", "c"));
    seeds.put("long number", V2.formatted("jobRetryCount: " + "9".repeat(500), "c"));
    seeds.put("tags", V2.formatted("extras: [!!int a, !!python/object:x y, ! z, !<t> u]", "c"));
    seeds.put("directives", "%YAML 99999999999.1\n%TAG ! tag:a,2000:\n--- !b c\n...\n---\n");
    seeds.put(
        "texts", V2.formatted("extras: [\"\\U00110000\", 'a''b', \"\\x41\\\n  b\"]", "|+2\n    c"));
    seeds.put("line ends", V2.formatted("", "c").replace("\n", "\r") + "\u0085\u2028\u2029");
    seeds.put("unicode", V2.formatted("parameters: {😀: é}", "<% $parameters.😀 %> \ud83d"));
    seeds.put("secrets", V2.formatted("secrets: {s: &t u}", "<% $secrets.s %><% $secrets.t %>"));
    seeds.put(
        "template", V2.formatted("parameters: {l: [1, [2.0, {}]]}", "<% $parameters.l[1] %>"));
    seeds.put("open template", V2.formatted("", "<%# a %> <% b <%"));
    return arguments(seeds);
  }

  /** Names and values first, one line each, then the template, see {@link TemplateFuzzTest}. */
  static Stream<Arguments> templates() {
    Map<String, String> seeds = new LinkedHashMap<>();
    seeds.put("name", "1.50\n<% $parameters.number %> <%$parameters.text%>");
    seeds.put("path", "-1e300\n<% $parameters.deep.list[1] %><% $parameters.deep.list.0.1 %>");
    seeds.put("list", "1e-7\n<% $parameters.deep.list %> <% $parameters.deep %>");
    seeds.put("unknown", "\n<% $parameters.no[7] %> <% $secrets.x %> <%%> <% . %> <% [0] %>");
    seeds.put("sections", "0\na\n  <%# s %>\n b <% x %>\n <%/ s %>\nc <%^ t %>d<%/t%>");
    seeds.put("comments", "0\n<%! c %>\nx <%! d %> y\n<%> part %>\n<%& raw %>\n<%{ raw }%>");
    seeds.put("open", "0\na <% b <% c");
    seeds.put("sections open", "0\n" + "<%#a%>".repeat(200));
    seeds.put("sections crossed", "0\n<%#a%><%#b%><%/a%><%/b%>");
    seeds.put("delimiters", "0\n<%={{ }}=%>{{ a }}");
    seeds.put("marks", "0\n<<%%>>%<%>%<<% <% %> %>");
    seeds.put("unicode", "0\n\u2028<% $parameters.\ud800 %>\u00a0😀\r\n<%# 😀 %>\r\n<%/😀%>");
    seeds.put("index", "0\n<% $parameters.deep.list[99999999999][0]][[1] %>");
    return arguments(seeds);
  }

  /** Returns nine lines that expand to a billion values. */
  private static String aliasBomb() {
    StringBuilder lines = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 10; i++) {
      lines.append("a%d: &a%d [".formatted(i, i)).append(("*a" + (i - 1) + ", ").repeat(10));
      lines.append("]\n");
    }
    return V2.formatted("parameters:\n  " + lines.toString().replace("\n", "\n  "), "c");
  }

  private static Map<String, String> files(JobFormat format) throws IOException {
    Map<String, String> seeds = new LinkedHashMap<>();
    for (var verdict : VerdictsTest.verdicts().toList()) {
      if (verdict.getKey().startsWith(format.label())) {
        seeds.put(verdict.getKey(), VerdictsTest.text(verdict.getKey()));
      }
    }
    return seeds;
  }

  private static Stream<Arguments> arguments(Map<String, String> seeds) {
    return seeds.entrySet().stream()
        .map(seed -> named(seed.getKey(), seed.getValue().getBytes(StandardCharsets.UTF_8)))
        .map(Arguments::of);
  }
}
