package dev.trainyard.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.AppException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessTest {
  private static final Caller PERSON = new Caller("u", "alice", false, "t");
  private static final Caller ADMIN = new Caller("u", "root", true, "t");

  private static Caller application(boolean admin, Scope scope) {
    return new Caller("u", "alice", admin, "t", scope, true, "");
  }

  /**
   * Admitted callers: person, admin, application by scope (r s a), application of an administrator
   * (R S A).
   */
  @ParameterizedTest
  @CsvSource({
    "USER,   false, person admin r s a R S A",
    "USER,   true,  person admin a A",
    "JOBS,   false, person admin s a S A",
    "JOBS,   true,  person admin s a S A",
    "PERSON, false, person admin",
    "PERSON, true,  person admin",
    "ADMIN,  false, admin R S A",
    "ADMIN,  true,  admin A",
    "MANAGE, false, admin",
    "MANAGE, true,  admin"
  })
  void admit_everyCaller_matchesTable(Access access, boolean changes, String expected) {
    List<String> admitted = new ArrayList<>();
    recordIfAdmitted("person", PERSON, access, changes, admitted);
    recordIfAdmitted("admin", ADMIN, access, changes, admitted);
    recordIfAdmitted("r", application(false, Scope.READ), access, changes, admitted);
    recordIfAdmitted("s", application(false, Scope.SUBMIT), access, changes, admitted);
    recordIfAdmitted("a", application(false, Scope.ALL), access, changes, admitted);
    recordIfAdmitted("R", application(true, Scope.READ), access, changes, admitted);
    recordIfAdmitted("S", application(true, Scope.SUBMIT), access, changes, admitted);
    recordIfAdmitted("A", application(true, Scope.ALL), access, changes, admitted);
    assertThat(String.join(" ", admitted)).isEqualTo(expected);
  }

  private static void recordIfAdmitted(
      String name, Caller caller, Access access, boolean changes, List<String> admitted) {
    try {
      access.admit(caller, changes);
      admitted.add(name);
    } catch (AppException e) {
      assertThat(e.code().status()).isEqualTo(403);
    }
  }
}
