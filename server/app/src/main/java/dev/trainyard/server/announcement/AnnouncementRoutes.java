package dev.trainyard.server.announcement;

import dev.trainyard.model.Message;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Fields;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code /api/v3/announcements}: lists and, for administrators, changes announcements. */
public final class AnnouncementRoutes {
  private static final int MAX_TITLE_LENGTH = 200;
  private static final int MAX_TEXT_LENGTH = 4000;
  private static final long MAX_TIME_MILLIS = Instant.parse("9999-12-31T00:00:00Z").toEpochMilli();

  private final AnnouncementService announcements;

  public AnnouncementRoutes(AnnouncementService announcements) {
    this.announcements = announcements;
  }

  public void addTo(Routes routes) {
    routes.add("GET", "/api/v3/announcements", Access.USER, this::list);
    routes.add("POST", "/api/v3/announcements", Access.ADMIN, this::create);
    routes.add("PUT", "/api/v3/announcements/:id", Access.ADMIN, this::replace);
    routes.add("DELETE", "/api/v3/announcements/:id", Access.ADMIN, this::delete);
  }

  /** Lists the current announcements; administrators can also request future and expired ones. */
  private Object list(Request request) {
    boolean includeAll =
        request.caller().admin() && request.query("all").filter("true"::equals).isPresent();
    List<Announcement> visible = includeAll ? announcements.listAll() : announcements.current();
    return Map.of("announcements", visible.stream().map(Announcement::view).toList());
  }

  private Object create(Request request) {
    Instant now = announcements.now();
    String user = request.caller().userName();
    Announcement announcement = read(request, announcements.newId(), user, now);
    return Reply.of(201, announcements.add(Actor.of(request), announcement).view());
  }

  private Object replace(Request request) {
    Announcement before = announcements.load(request.path("id"));
    Announcement announcement = read(request, before.id(), before.user(), before.created());
    return announcements.replace(Actor.of(request), announcement).view();
  }

  private static Announcement read(Request request, String id, String user, Instant created) {
    Fields fields = new Fields(request.json());
    String title = fields.optionalText("title", MAX_TITLE_LENGTH).orElse("").strip();
    if (title.isEmpty() || title.indexOf('\n') >= 0 || title.indexOf('\r') >= 0) {
      fields.addProblem("title", Message.of("error.not-a-title"));
    }
    String text = fields.optionalText("text", MAX_TEXT_LENGTH).orElse("");
    String level = fields.optionalText("level").orElse("info");
    if (!Announcement.LEVELS.contains(level)) {
      String knownLevels = String.join(", ", Announcement.LEVELS);
      fields.addProblem(
          "level", Message.of("error.not-one-of", "value", level).with("known", knownLevels));
    }
    Instant from = optionalInstant(fields, "from").orElse(created);
    Optional<Instant> until = optionalInstant(fields, "until");
    if (until.isPresent() && !until.get().isAfter(from)) {
      fields.addProblem("until", Message.of("error.ends-before-start"));
    }
    fields.check();
    return new Announcement(id, title, text, level, from, until, user, created);
  }

  private static Optional<Instant> optionalInstant(Fields fields, String name) {
    return fields.optionalNumber(name, 0, MAX_TIME_MILLIS).map(Instant::ofEpochMilli);
  }

  private Object delete(Request request) {
    announcements.delete(Actor.of(request), request.path("id"));
    return Reply.noContent();
  }
}
