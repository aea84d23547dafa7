package dev.trainyard.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.trainyard.model.AppException;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FieldsTest {
  private static Fields of(String json) throws Exception {
    return new Fields(new ObjectMapper().readTree(json));
  }

  private static List<String> faults(Fields fields) {
    AppException rejected = catchThrowableOfType(AppException.class, fields::check);
    return rejected.problems().stream()
        .map(problem -> problem.path() + " " + problem.message().code())
        .toList();
  }

  @Test
  void text_missingEmptyOrOfAnotherType_namesEach() throws Exception {
    Fields fields = of("{\"empty\":\"\",\"nothing\":null,\"number\":1,\"more\":true}");

    for (String name : List.of("missing", "empty", "nothing", "number")) {
      assertThat(fields.text(name)).isEmpty();
    }

    assertThat(faults(fields))
        .containsExactly(
            "missing error.field-missing",
            "empty error.field-empty",
            "nothing error.field-empty",
            "number error.field-type",
            "more error.field-unknown");
  }

  @Test
  void text_given_unchanged() throws Exception {
    Fields fields = of("{\"name\":\" a \"}");

    assertThat(fields.text("name")).isEqualTo(" a ");
    fields.check();
  }

  @Test
  void check_manyUnknownFields_listsSomeAndCountsAll() throws Exception {
    String many =
        IntStream.range(0, 50_000)
            .mapToObj(i -> "\"f" + i + "\":0")
            .collect(Collectors.joining(",", "{", "}"));
    Fields fields = of(many);
    fields.text("missing");

    AppException rejected = catchThrowableOfType(AppException.class, fields::check);

    assertThat(rejected.problems())
        .hasSize(Fields.MAX_PROBLEMS)
        .startsWith(Problem.at("missing", Message.of("error.field-missing")));
    assertThat(rejected.text().params()).containsEntry("count", 50_001);
  }

  @Test
  void problem_sameTwice_listedOnce() throws Exception {
    Fields fields = of("{\"empty\":\"\"}");
    fields.text("empty");
    fields.text("empty");
    fields.addProblem("empty", Message.of("error.field-control"));

    assertThat(faults(fields)).containsExactly("empty error.field-empty");
  }
}
