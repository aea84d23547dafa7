package dev.trainyard.server.template;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Ulid;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Users' own templates, which are visible only to their owner. Thread-safe. */
public final class TemplateService {
  private static final int MAX_TEMPLATES = 100;

  private final Db db;
  private final Audit audit;
  private final InstantSource clock;
  private final Ulid ids;

  public TemplateService(Db db, InstantSource clock) {
    this.db = db;
    this.audit = new Audit(clock);
    this.clock = clock;
    this.ids = new Ulid(clock);
  }

  /**
   * Returns the templates of a user with empty texts; {@link #load} returns a template with its
   * text.
   */
  List<Template> of(String userId) {
    return db.read(handle -> TemplateStore.listWithoutText(handle, userId));
  }

  Template load(String userId, String id) {
    return db.read(handle -> TemplateStore.find(handle, userId, id))
        .orElseThrow(() -> notFound(id));
  }

  Template add(Actor actor, String name, String description, String text) {
    return db.write(
        handle -> {
          int existing = TemplateStore.count(handle, actor.userId());
          if (existing >= MAX_TEMPLATES) {
            throw new AppException(
                ErrorCode.CONFLICT, Message.of("error.too-many-templates", "most", MAX_TEMPLATES));
          }
          Template created =
              new Template(ids.next(), name, description, text, Optional.of(clock.instant()));
          put(handle, actor, created);
          record(handle, actor, "template.create", created.name());
          return created;
        });
  }

  Template replace(Actor actor, String id, String name, String description, String text) {
    return db.write(
        handle -> {
          var _ = TemplateStore.find(handle, actor.userId(), id).orElseThrow(() -> notFound(id));
          TemplateStore.delete(handle, id);
          Template changed =
              new Template(id, name, description, text, Optional.of(clock.instant()));
          put(handle, actor, changed);
          record(handle, actor, "template.change", changed.name());
          return changed;
        });
  }

  void delete(Actor actor, String id) {
    db.write(
        handle -> {
          Template deleted =
              TemplateStore.find(handle, actor.userId(), id).orElseThrow(() -> notFound(id));
          TemplateStore.delete(handle, id);
          record(handle, actor, "template.delete", deleted.name());
          return null;
        });
  }

  private static void put(Handle handle, Actor actor, Template template) {
    if (!TemplateStore.insert(handle, actor.userId(), template)) {
      throw new AppException(
          ErrorCode.NAME_TAKEN, Message.of("error.template-name-taken", "name", template.name()));
    }
  }

  private void record(Handle handle, Actor actor, String action, String name) {
    audit.record(handle, actor, action, "template:" + name, Map.of(), Map.of());
  }

  private static AppException notFound(String id) {
    return new AppException(ErrorCode.NOT_FOUND, Message.of("error.no-template", "id", id));
  }
}
