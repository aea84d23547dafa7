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
  private final TemplateService templates;

  TemplateServiceTest(Db db) {
    this.db = db;
    this.templates = new TemplateService(db, new MutableClock());
  }

  @BeforeEach
  void createUsers() {
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
  void builtIn_matchExamples() throws Exception {
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
  void ownTemplates_areVisibleOnlyToOwner() {
    Template created = templates.add(ALICE, "mine", "d", "t");
    templates.add(BOB, "mine", "d", "t");
    assertThat(templates.of("u1")).extracting(Template::id).containsExactly(created.id());
    assertThatThrownBy(() -> templates.load("u2", created.id())).isInstanceOf(AppException.class);
    assertThatThrownBy(() -> templates.delete(BOB, created.id())).isInstanceOf(AppException.class);
    assertThatThrownBy(() -> templates.replace(BOB, created.id(), "x", "", ""))
        .isInstanceOf(AppException.class);
    assertThatThrownBy(() -> templates.add(ALICE, "mine", "", ""))
        .isInstanceOfSatisfying(
            AppException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NAME_TAKEN));
    Template changed = templates.replace(ALICE, created.id(), "mine", "e", "u");
    assertThat(templates.load("u1", created.id())).isEqualTo(changed);
    templates.delete(ALICE, created.id());
    assertThat(templates.of("u1")).isEmpty();
  }

  @Test
  void list_doesNotLoadTexts() {
    Template created = templates.add(ALICE, "mine", "d", "t");
    assertThat(templates.of("u1"))
        .containsExactly(new Template(created.id(), "mine", "d", "", created.changed()));
    assertThat(templates.load("u1", created.id())).isEqualTo(created);
  }

  @Test
  void ownTemplates_areLimited() {
    for (int i = 0; i < 100; i++) {
      templates.add(ALICE, "t" + i, "", "");
    }
    assertThatThrownBy(() -> templates.add(ALICE, "one more", "", ""))
        .isInstanceOfSatisfying(
            AppException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT));
  }
}
