package dev.trainyard.server.file;

import dev.trainyard.engine.linux.FileHandle;
import dev.trainyard.server.storage.DirectoryPage;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** A page of a directory as JSON. */
public final class DirectoryView {
  private DirectoryView() {}

  public static Map<String, Object> of(String path, DirectoryPage page) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("path", path);
    view.put("files", page.entries().stream().map(DirectoryView::of).toList());
    page.next()
        .map(name -> name.getBytes(StandardCharsets.ISO_8859_1))
        .map(Base64.getUrlEncoder().withoutPadding()::encodeToString)
        .ifPresent(next -> view.put("next", next));
    return view;
  }

  private static Map<String, Object> of(DirectoryPage.Entry entry) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("name", entry.name());
    view.put("kind", entry.attributes().kind().name().toLowerCase(Locale.ROOT));
    view.put(
        "size",
        entry.attributes().kind() == FileHandle.Kind.FILE ? entry.attributes().size() : null);
    view.put("modified", Math.max(0, entry.attributes().modified().toMillis()));
    view.put("text", entry.text());
    return view;
  }
}
