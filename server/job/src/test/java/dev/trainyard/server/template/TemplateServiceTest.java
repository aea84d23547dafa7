package dev.trainyard.server.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.jobfile.JobFiles;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.fixture.MutableClock;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EveryDatabase
class TemplateServiceTest {
  private static final Actor ALICE = new Actor("u1", "alice", "", "");
  private static final Actor BOB = new Actor("u2", "bob", "", "");

  private final Db db;
  private final TemplateService templateService;

  TemplateServiceTest(Db db) {
    this.db = db;
    this.templateService = new TemplateService(db, new MutableClock());
  }

  @BeforeEach
  void people() {
    for (Actor actor : java.util.List.of(ALICE, BOB)) {
      db.write(
          handle ->
              handle.execute(
                  "insert into users (id, name, name_key, password, admin, disabled, id_range,"
                      + " created) values (?, ?, ?, '-', 0, 0, ?, 0)",
                  actor.userId(),
                  actor.userName(),
                  actor.userName(),
                  actor.userId().charAt(1) - '0'));
    }
  }

  @Test
  void builtIn_areTheExamples() throws Exception {
    assertThat(BuiltInTemplates.all())
        .extracting(Template::id)
        .containsExactly("hello", "digits", "parameter-server");
    for (Template template : BuiltInTemplates.all()) {
      assertThat(JobFiles.parse(template.text()).problems()).isEmpty();
      assertThat(template.description()).isNotEmpty();
    }
    assertThat(BuiltInTemplates.find("hello").orElseThrow().text())
        .isEqualTo(Files.readString(Path.of("../../examples/hello.json")));
  }

  @Test
  void own_areOnesOwn() {
    Template made = templateService.add(ALICE, "mine", "d", "t");
    templateService.add(BOB, "mine", "d", "t");
    assertThat(templateService.of("u1")).containsExactly(made);
    assertThatThrownBy(() -> templateService.load("u2", made.id())).isInstanceOf(AppException.class);
    assertThatThrownBy(() -> templateService.delete(BOB, made.id())).isInstanceOf(AppException.class);
    assertThatThrownBy(() -> templateService.replace(BOB, made.id(), "x", "", ""))
        .isInstanceOf(AppException.class);
    assertThatThrownBy(() -> templateService.add(ALICE, "mine", "", ""))
        .isInstanceOfSatisfying(
            AppException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NAME_TAKEN));
    Template changed = templateService.replace(ALICE, made.id(), "mine", "e", "u");
    assertThat(templateService.load("u1", made.id())).isEqualTo(changed);
    templateService.delete(ALICE, made.id());
    assertThat(templateService.of("u1")).isEmpty();
  }

  @Test
  void own_areNotTooMany() {
    for (int i = 0; i < 100; i++) {
      templateService.add(ALICE, "t" + i, "", "");
    }
    assertThatThrownBy(() -> templateService.add(ALICE, "one more", "", ""))
        .isInstanceOfSatisfying(
            AppException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT));
  }
}
