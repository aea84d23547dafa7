package dev.trainyard.server.user;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code POST /api/v3/users/import}, for administrators. */
public final class ImportRoutes {
  private final UserImport userImport;

  public ImportRoutes(UserImport userImport) {
    this.userImport = userImport;
  }

  public void addTo(Routes routes) {
    routes.add("POST", "/api/v3/users/import", Access.MANAGE, this::run);
  }

  private Reply run(Request request) {
    boolean dryRun = request.query("dryRun").map(value -> !value.equals("false")).orElse(false);
    List<Map<String, Object>> imported =
        userImport.run(Actor.of(request), readText(request), dryRun).stream()
            .map(ImportRoutes::view)
            .toList();
    Map<String, Object> response = new LinkedHashMap<>();
    response.put("dryRun", dryRun);
    response.put("users", imported);
    return Reply.of(dryRun ? 200 : 201, response).with("Cache-Control", "no-store");
  }

  /**
   * Returns the request body; throws if it is not UTF-8 text. Other encodings are rejected, because
   * spreadsheets may use a regional encoding without declaring it in the file.
   */
  private static String readText(Request request) {
    try {
      String text = request.text();
      // UTF-16 text contains many null characters.
      if (text.indexOf('\0') < 0) {
        return text;
      }
    } catch (AppException e) {
      if (e.code() != ErrorCode.BAD_REQUEST) {
        throw e;
      }
    }
    throw new AppException(ErrorCode.BAD_REQUEST, Message.of("error.import-encoding"));
  }

  private static Map<String, Object> view(UserImport.ImportedUser user) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("name", user.name());
    view.put("admin", user.admin());
    view.put("groups", user.groups());
    view.put("virtualClusters", user.virtualClusters());
    user.password().ifPresent(password -> view.put("password", password));
    return view;
  }
}
