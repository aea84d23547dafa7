package dev.trainyard.server.openpai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.http.Reply;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenPaiErrorsTest {
  @ParameterizedTest
  @CsvSource({
    "error.too-many-jobs, 400, NoEnoughQuotaError",
    "error.too-many-tasks, 400, NoEnoughQuotaError",
    "error.too-large-files, 400, NoEnoughQuotaError",
    "error.group-built-in, 403, ForbiddenUserError",
    "error.user-has-jobs, 409, ConflictUserError",
    "error.job-is-ending, 409, ConflictJobError",
  })
  void conflict_jobErrorOnlyForJobNames(String code, int status, String expected) {
    Reply reply = OpenPaiErrors.reply(new AppException(ErrorCode.CONFLICT, Message.of(code)));
    assertThat(reply.status()).isEqualTo(status);
    assertThat((Map<?, ?>) reply.body()).extracting("code").isEqualTo(expected);
  }
}
