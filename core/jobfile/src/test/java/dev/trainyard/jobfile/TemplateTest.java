package dev.trainyard.jobfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TemplateTest {
  private static final TemplateValues VALUES =
      new TemplateValues(
          Map.of(
              "$parameters",
              Map.of(
                  "epochs", 10, "lr", 0.1, "on", true, "html", "<a&b>", "deep", Map.of("x", "y")),
              "$data",
              Map.of("uri", List.of("one", "two"), "name", "dat")));

  private final List<String> unknownNames = new ArrayList<>();

  private String render(String text) throws Template.FaultException {
    return new Template(text, VALUES::find, unknownNames::add, 1000).render();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a <% $parameters.epochs %> b    | a 10 b
          <%$parameters.lr%>              | 0.1
          <% $parameters.on %>            | true
          <% $parameters.html %>          | <a&b>
          <% $parameters.deep.x %>        | y
          <% $data.uri[1] %>              | two
          <% $data.uri.0 %>               | one
          <% $data.uri %>                 | one,two
          <% $data.name %><% $data.name %>| datdat
          <% $parameters.deep %>          | <% $parameters.deep %>
          <%   $parameters.no   %>        | <% $parameters.no %>
          <% $data.uri[7] %>              | <% $data.uri[7] %>
          <%$secrets.token%>              | <% $secrets.token %>
          <% epochs %>                    | <% epochs %>
          x<%! comment %>y                | xy
          x<%# a %>gone<% b %><%/ a %>y   | xy
          x<%^a%>gone<%/a%>y              | xy
          x<%& $parameters.epochs %>y     | xy
          x<%> part %>y                   | xy
          a %> b                          | a %> b
          """)
  void render_oneLine(String text, String expected) throws Template.FaultException {
    assertThat(render(text)).isEqualTo(expected);
  }

  @Test
  void render_linesWithTagsOnly_removed() throws Template.FaultException {
    assertThat(render("a\n  <%! x %>  \nb")).isEqualTo("a\nb");
    assertThat(render("a\n<%# x %>\nin\n<%/ x %>\nb")).isEqualTo("a\nb");
    assertThat(render("a\n  <% $data.name %>  \nb")).isEqualTo("a\n  dat  \nb");
    assertThat(render(" \n a \n ")).isEqualTo("a");
  }

  @Test
  void render_unknownNames_reported() throws Template.FaultException {
    assertThat(render("<% a.b %> <%#s%><% c %><%/s%>")).isEqualTo("<% a.b %>");
    assertThat(unknownNames).containsExactly("a.b");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          echo <% a      | TAG_NOT_CLOSED
          <%# a %> b     | SECTION_NOT_CLOSED
          <%/ a %> b     | SECTION_NOT_OPENED
          <%#a%><%/b%>   | SECTION_NOT_OPENED
          <%=[ ]=%>      | NEW_DELIMITERS
          """)
  void render_invalidTemplate_reportsFault(String text, Template.Fault fault) {
    assertThatThrownBy(() -> render(text))
        .isInstanceOfSatisfying(
            Template.FaultException.class, e -> assertThat(e.fault()).isEqualTo(fault));
  }

  @Test
  void render_tooLong() {
    assertThatThrownBy(() -> render("<% $parameters.html %>".repeat(201))).hasMessage("TOO_LONG");
  }

  @Test
  void secrets_document_isRendered() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("token", "yes: #1");
    values.put("number", 7);
    values.put("list", List.of("a\nb", true));
    Secrets secrets = new Secrets(values);
    assertThat(secrets.document())
        .isEqualTo("token: 'yes: #1'\nnumber: 7\nlist:\n- |-\n  a\n  b\n- true\n");
  }

  @Test
  void fits_countsLengthOfInsertedSecrets() {
    Secrets secrets = new Secrets(Map.of("token", "12345"));
    assertThat(secrets.fits("a<%$secrets.token%>b", 7)).isTrue();
    assertThat(secrets.fits("a<%$secrets.token%>b", 6)).isFalse();
    assertThat(secrets.remainingLength("a<%$secrets.token%>b", 9)).isEqualTo(2);
    assertThat(Secrets.NONE.fits("abc", 2)).isFalse();
  }

  @Test
  void resolve_insertsSecrets() {
    Secrets secrets = new Secrets(Map.of("token", "a<&'$1\\", "deep", Map.of("x", 7)));
    assertThat(secrets.resolve("<%$secrets.token%> <% $secrets.deep.x %> <% $secrets.no %> <% y"))
        .isEqualTo("a<&'$1\\ 7 <% $secrets.no %> <% y");
    assertThat(secrets.resolve("<% <% $secrets.token %>")).isEqualTo("<% a<&'$1\\");
    assertThat(secrets.toString()).doesNotContain("$1");
    String openings = "<%".repeat(200_000) + "%>";
    assertThat(secrets.resolve(openings)).isEqualTo(openings);
    assertThat(Secrets.NONE.resolve("<% $secrets.token %>")).isEqualTo("<% $secrets.token %>");
  }
}
