package dev.trainyard.server.status;

import dev.trainyard.model.Message;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everybody who has something to say about how the server is puts it here. What can't be told at
 * the moment does not keep the rest from being told. Thread-safe once the server has started.
 */
public final class StatusBoard {
  private static final Logger LOG = LoggerFactory.getLogger(StatusBoard.class);

  private final Map<String, Supplier<Object>> parts = new LinkedHashMap<>();
  private final List<Supplier<List<Message>>> warners = new ArrayList<>();

  /** A part of the status, by its name in JSON. */
  public synchronized void add(String name, Supplier<Object> part) {
    parts.put(name, part);
  }

  public synchronized void addWarnings(Supplier<List<Message>> warner) {
    warners.add(warner);
  }

  /** What somebody should look at, now. */
  public synchronized List<Message> warnings() {
    return warners.stream().flatMap(warner -> warner.get().stream()).toList();
  }

  /** All parts and all warnings. */
  synchronized Map<String, Object> view() {
    List<Message> warnings = new ArrayList<>();
    Map<String, Object> view = new LinkedHashMap<>();
    parts.forEach(
        (name, part) -> {
          try {
            view.put(name, part.get());
          } catch (RuntimeException e) {
            LOG.warn("the {} can't be told", name, e);
            view.put(name, null);
            warnings.add(
                Message.of("notice.status-part", "part", name)
                    .with("detail", String.valueOf(e.getMessage())));
          }
        });
    warners.forEach(warner -> warnings.addAll(warner.get()));
    view.put("warnings", warnings.stream().map(StatusBoard::warning).toList());
    return view;
  }

  private static Map<String, Object> warning(Message message) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("code", message.code());
    view.put("message", message.english());
    view.put("params", message.params());
    return view;
  }
}
