package dev.trainyard.server.template;

import dev.trainyard.jobfile.JobFiles;
import dev.trainyard.jobfile.ParsedJob;
import dev.trainyard.model.AppException;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.BodyLimit;
import dev.trainyard.server.http.Fields;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.work.WorkPools;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** {@code /api/v3/templates}. */
public final class TemplateRoutes {
  private static final int MAX_NAME_LENGTH = 100;
  private static final int MAX_DESCRIPTION_LENGTH = 500;
  private static final int MAX_TEXT_LENGTH = 256 * 1024;

  /** A character may take six bytes in JSON; the remaining bytes are for the other fields. */
  private static final BodyLimit BODY = BodyLimit.of(new DataSize(6L * MAX_TEXT_LENGTH + 65_536));

  private final TemplateService templates;

  public TemplateRoutes(TemplateService templates) {
    this.templates = templates;
  }

  public void addTo(Routes routes) {
    routes.add("GET", "/api/v3/templates", Access.USER, this::list);
    routes.add("GET", "/api/v3/templates/:template", Access.USER, this::show);
    routes.add("POST", "/api/v3/templates", Access.JOBS, BODY, this::create);
    routes.add("PUT", "/api/v3/templates/:template", Access.JOBS, BODY, this::replace);
    routes.add("DELETE", "/api/v3/templates/:template", Access.JOBS, this::delete);
  }

  private Object list(Request request) {
    Stream<Map<String, Object>> builtIn =
        BuiltInTemplates.all().stream().map(TemplateRoutes::builtInOutline);
    Stream<Map<String, Object>> own =
        templates.of(request.caller().userId()).stream().map(Template::outline);
    return Map.of("templates", Stream.concat(builtIn, own).toList());
  }

  /**
   * Adds the message code of the description, because built-in templates are described in every
   * language.
   */
  private static Map<String, Object> builtInOutline(Template template) {
    Map<String, Object> view = template.outline();
    view.put("descriptionCode", BuiltInTemplates.description(template.id()).code());
    return view;
  }

  private Object show(Request request) {
    String id = request.path("template");
    Optional<Template> builtIn = BuiltInTemplates.find(id);
    return builtIn.orElseGet(() -> templates.load(request.caller().userId(), id)).view();
  }

  private record TemplateInput(String name, String description, String text) {}

  private static TemplateInput read(Request request) {
    Fields fields = new Fields(request.json());
    String name = fields.optionalText("name", MAX_NAME_LENGTH).orElse("").strip();
    if (name.isEmpty() || name.chars().anyMatch(Character::isISOControl)) {
      fields.addProblem("name", Message.of("error.not-a-title"));
    }
    String description = fields.optionalText("description", MAX_DESCRIPTION_LENGTH).orElse("");
    String text = fields.text("text");
    if (text.length() > MAX_TEXT_LENGTH) {
      fields.addProblem("text", Message.of("error.field-long", "longest", MAX_TEXT_LENGTH));
    }
    fields.check();
    return new TemplateInput(name, description, maskSecrets(text));
  }

  /**
   * Masks the secrets in a job file. Rejects an invalid file, because secrets in clear text might
   * not be recognized in such a file.
   */
  private static String maskSecrets(String text) {
    ParsedJob parsed = WorkPools.runForText(text, () -> JobFiles.parse(text));
    if (!parsed.problems().isEmpty() || parsed.spec().isEmpty()) {
      throw new AppException(
          ErrorCode.INVALID_JOB,
          Message.of("error.invalid-job", "problems", parsed.problems().size()),
          parsed.problems());
    }
    return parsed.text();
  }

  private Object create(Request request) {
    TemplateInput input = read(request);
    Template created =
        templates.add(Actor.of(request), input.name(), input.description(), input.text());
    return Reply.of(201, created.view());
  }

  private Object replace(Request request) {
    String id = request.path("template");
    rejectBuiltIn(id);
    TemplateInput input = read(request);
    return templates
        .replace(Actor.of(request), id, input.name(), input.description(), input.text())
        .view();
  }

  private Object delete(Request request) {
    String id = request.path("template");
    rejectBuiltIn(id);
    templates.delete(Actor.of(request), id);
    return Reply.noContent();
  }

  private static void rejectBuiltIn(String id) {
    if (BuiltInTemplates.find(id).isPresent()) {
      throw new AppException(
          ErrorCode.CONFLICT, Message.of("error.template-built-in", "id", id), List.of());
    }
  }
}
