package dev.trainyard.jobfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.Problem;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class YamlDocumentTest {
  private static Object parse(String text) {
    Problems problems = new Problems();
    Document document = YamlDocument.read(text, problems).orElseThrow();
    assertThat(problems.errors()).isEmpty();
    return PlainValues.of(document.root());
  }

  private static List<Problem> problems(String text) {
    Problems problems = new Problems();
    var _ = YamlDocument.read(text, problems);
    return problems.errors();
  }

  private static String problemCode(String text) {
    assertThat(problems(text)).as(text).hasSize(1);
    return problems(text).getFirst().message().code();
  }

  @Test
  void read_jsonAndYaml_sameValues() {
    String json = "{\"a\":[1,true,null,\"x\",{\"b\":-2.5}],\"c\":\"\"}";
    Problems problems = new Problems();
    Document document = JsonDocument.read(json, problems).orElseThrow();
    assertThat(parse(json)).isEqualTo(PlainValues.of(document.root()));
    assertThat(parse("a:\n- 1\n- true\n- ~\n- x\n- b: -2.5\nc: ''")).isEqualTo(parse(json));
  }

  @Test
  void read_nameTooLong_sameLimitAsInJson() {
    assertThat(problemCode("a:\n  ? " + "k".repeat(10_001) + "\n  : v"))
        .isEqualTo("jobfile.json-limit");
    assertThat(problemCode("{? \"" + "k".repeat(60_000) + "\" : v}"))
        .isEqualTo("jobfile.json-limit");
    assertThat(parse("? " + "k".repeat(10_000) + "\n: v"))
        .isEqualTo(Map.of("k".repeat(10_000), "v"));
  }

  @Test
  void read_positions() {
    Problems problems = new Problems();
    DocumentValue root =
        YamlDocument.read("a:\n  - b: 😀 c\n    d: 1", problems).orElseThrow().root();
    DocumentValue.Items items =
        (DocumentValue.Items) ((DocumentValue.Table) root).fields().get("a");
    DocumentValue.Table table = (DocumentValue.Table) items.values().getFirst();
    assertThat(items.position()).isEqualTo(new DocumentValue.Position(2, 3));
    assertThat(table.fields().get("b").position()).isEqualTo(new DocumentValue.Position(2, 8));
    assertThat(table.fields().get("d").position()).isEqualTo(new DocumentValue.Position(3, 8));
  }

  @Test
  void read_aliasAndMerge() {
    String text =
        """
        base: &base {x: 1, y: 2}
        copy: *base
        own:
          y: 3
          <<: *base
        several:
          <<: [{z: 4}, *base]
        quoted:
          '<<': 5
        """;
    Map<String, Integer> base = Map.of("x", 1, "y", 2);
    assertThat(parse(text))
        .isEqualTo(
            Map.of(
                "base", base,
                "copy", base,
                "own", Map.of("x", 1, "y", 3),
                "several", Map.of("x", 1, "y", 2, "z", 4),
                "quoted", Map.of("<<", 5)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a: [1, 2              | jobfile.yaml-end
          a: 'x                 | jobfile.yaml-end
          a: b: c               | jobfile.yaml-colon
          a: *b                 | jobfile.yaml-alias
          a: &b [*b]            | jobfile.yaml-alias-itself
          a: !!python/none x    | jobfile.yaml-tag
          a: !!int x            | jobfile.yaml-tag
          a: !own {}            | jobfile.yaml-tag
          a: "\\q"              | jobfile.yaml-escape
          a: @b                 | jobfile.yaml
          [a]: b                | jobfile.yaml-key
          {a: 1, a: 2}          | jobfile.duplicate-field
          <<: 1                 | jobfile.yaml-merge
          """)
  void read_broken(String text, String code) {
    assertThat(problemCode(text)).isEqualTo(code);
  }

  @Test
  void read_brokenInSeveralLines() {
    assertThat(problemCode("a: 1\n\tb: 2")).isEqualTo("jobfile.yaml-tab");
    assertThat(problemCode("a: 1\n b: 2")).isEqualTo("jobfile.yaml-colon");
    assertThat(problemCode("a:\n  - 1\n b: 2")).isEqualTo("jobfile.yaml-indent");
    assertThat(problemCode("a: 1\n---\nb: 2")).isEqualTo("jobfile.yaml-documents");
    assertThat(problemCode("# nothing")).isEqualTo("jobfile.empty");
    assertThat(problemCode("a: \u0007")).isEqualTo("jobfile.yaml-character");
    assertThat(problemCode("a: \ud800")).isEqualTo("jobfile.yaml-character");
    assertThat(problems("x: 1\ny: \u0007").getFirst().line()).isEqualTo(2);
    assertThat(problems("x: 1\ny: \u0007").getFirst().column()).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "- ", "{a: ", "? "})
  void read_deeplyNested(String opening) {
    Assertions.assertTimeout(
        Duration.ofSeconds(10),
        () -> assertThat(problems(opening.repeat(1_000_000 / opening.length()))).isNotEmpty());
    assertThat(problemCode("[".repeat(60) + "]".repeat(60))).isEqualTo("jobfile.too-deep");
  }

  @Test
  void read_aliasesOfAliases() {
    StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 20; i++) {
      String previousAlias = "*a" + (i - 1);
      bomb.append(
          "a" + i + ": &a" + i + " [" + (previousAlias + ", ").repeat(9) + previousAlias + "]\n");
    }
    Assertions.assertTimeout(
        Duration.ofSeconds(10),
        () -> assertThat(problemCode(bomb.toString())).isEqualTo("jobfile.yaml-aliases"));
  }

  @Test
  void read_deeplyNestedAliases() {
    StringBuilder text = new StringBuilder("a0: &a0 [x]\n");
    for (int i = 1; i < 100; i++) {
      text.append("a" + i + ": &a" + i + " [*a" + (i - 1) + "]\n");
    }
    assertThat(problemCode(text.toString())).isEqualTo("jobfile.too-deep");
  }

  @Test
  void secrets_masked() {
    String text = "name: 😀\nsecrets:\n  token: x # mine\n  other: |\n    y\n\n# next\ntype: job\n";
    Document document = YamlDocument.read(text, new Problems()).orElseThrow();
    assertThat(document.mask(text))
        .isEqualTo(
            "name: 😀\nsecrets:\n  {\"token\": \"******\", \"other\": \"******\"}\ntype: job\n");
    assertThat(mask("secrets: {a: b} # c\nd: e"))
        .isEqualTo("secrets: {\"a\": \"******\"} # c\nd: e");
    assertThat(mask("secrets:\n  a: b")).isEqualTo("secrets:\n  {\"a\": \"******\"}");
    assertThat(mask("  secrets:\n    a: b\n  c: d\n"))
        .isEqualTo("  secrets:\n    {\"a\": \"******\"}\n  c: d\n");
    assertThat(mask("a: {secrets: {b: c}}")).isEqualTo("a: {secrets: {b: c}}");
    assertThat(mask("secrets:\n- a\n- b\nc: d")).isEqualTo("secrets:\n\"******\"\nc: d");
  }

  private static String mask(String text) {
    return YamlDocument.read(text, new Problems()).orElseThrow().mask(text);
  }

  @Test
  void secrets_inJsonMasked() {
    String text = "{\"secrets\" : {\"a\": \"}\"} , \"b\": {\"secrets\": 1}}";
    Optional<Document> document = JsonDocument.read(text, new Problems());
    assertThat(document.orElseThrow().mask(text))
        .isEqualTo("{\"secrets\" : {\"a\": \"******\"} , \"b\": {\"secrets\": 1}}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a: &s {b: c}\nsecrets: *s",
        "secrets: &s {b: c}",
        "secrets: {b: &s c}\na: 1",
        "base: &b {secrets: {c: d}}\n<<: *b"
      })
  void secrets_aliasAcrossSecrets_isRejected(String text) {
    assertThat(problemCode(text)).isEqualTo("jobfile.secrets-alias");
  }
}
