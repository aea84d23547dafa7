package dev.trainyard.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ErrorRepliesTest {
  private static JsonNode problems(ErrorCode code, int count) throws Exception {
    Problem problem = Problem.at("a", Message.of("error.field-unknown"));
    List<Problem> many = Collections.nCopies(count, problem);
    try (TestWeb web =
        TestWeb.with(
            routes ->
                routes.add(
                    "GET",
                    "/fails",
                    Access.PUBLIC,
                    request -> {
                      throw new AppException(code, Message.of("error.bad-query"), many);
                    }))) {
      return TestWeb.json(web.get("/fails")).get("problems");
    }
  }

  @Test
  void reply_manyProblems_listsSomeAndCountsTheOthers() throws Exception {
    JsonNode listed = problems(ErrorCode.BAD_REQUEST, 65_000);

    assertThat(listed).hasSize(ErrorReplies.MAX_PROBLEMS + 1);
    JsonNode last = listed.get(ErrorReplies.MAX_PROBLEMS);
    assertThat(last.get("message").textValue()).isEqualTo("and 64900 more");
  }

  @Test
  void reply_asManyAsAllowed_listsAll() throws Exception {
    assertThat(problems(ErrorCode.BAD_REQUEST, ErrorReplies.MAX_PROBLEMS))
        .hasSize(ErrorReplies.MAX_PROBLEMS);
  }

  @Test
  void reply_jobFile_isLimitedByItsParser() throws Exception {
    assertThat(problems(ErrorCode.INVALID_JOB, 400)).hasSize(400);
  }
}
