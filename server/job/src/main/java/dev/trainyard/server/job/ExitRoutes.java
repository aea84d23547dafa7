package dev.trainyard.server.job;

import dev.trainyard.model.Message;
import dev.trainyard.model.Messages;
import dev.trainyard.model.diagnosis.Exit;
import dev.trainyard.model.diagnosis.ExitTable;
import dev.trainyard.model.diagnosis.OpenPaiExits;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Routes;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code /api/v3/exits}: all exit categories, in both languages, and the table of OpenPAI's exit
 * codes. The response is the same on every server.
 */
public final class ExitRoutes {
  private static final Map<String, Object> RESPONSE =
      Map.of(
          "exits", Arrays.stream(Exit.values()).map(ExitRoutes::exit).toList(),
          "openpai", OpenPaiExits.rows().stream().map(ExitRoutes::row).toList());

  public void addTo(Routes routes) {
    routes.add("GET", "/api/v3/exits", Access.USER, _ -> RESPONSE);
  }

  private static Map<String, Object> exit(Exit exit) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("exit", exit);
    view.put("codes", ExitTable.codes(exit).stream().map(ExitRoutes::range).toList());
    view.put("phrase", bilingualView(exit.phrase()));
    view.put("cause", bilingualView(exit.cause()));
    view.put("advice", bilingualView(exit.advice()));
    view.put("reaction", exit.reaction());
    view.put("reactionText", bilingualView(exit.reaction().description()));
    view.put("openpaiCode", exit.openPaiCode());
    return view;
  }

  private static List<Integer> range(ExitTable.Range range) {
    return List.of(range.from(), range.to());
  }

  private static Map<String, Object> bilingualView(Message message) {
    Map<String, Object> view = new LinkedHashMap<>(JobView.message(message));
    view.put("zh", Messages.CHINESE.text(message));
    return view;
  }

  private static Map<String, Object> row(OpenPaiExits.Row row) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("code", row.code());
    view.put("phrase", row.phrase());
    view.put("issuer", row.issuer());
    view.put("causer", row.causer());
    view.put("type", row.type());
    view.put("stage", row.stage());
    view.put("behaviour", row.behaviour());
    view.put("exit", row.exit());
    return view;
  }
}
