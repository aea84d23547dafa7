package dev.trainyard.server.audit;

import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Csv;
import dev.trainyard.server.http.Json;
import dev.trainyard.server.http.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Exports all records that match a filter, newest first. The records are read in pages, so that
 * only one page is in memory and every database read is short, regardless of the length of the log.
 */
enum AuditExport {
  CSV("text/csv; charset=utf-8") {
    @Override
    String heading() {
      return Csv.heading(
          List.of(
              "time", "user", "action", "target", "address", "before", "after", "userId", "token",
              "id"));
    }

    @Override
    String line(AuditEntry entry) {
      return Csv.row(
          List.of(
              entry.happened().toString(),
              entry.actor().userName(),
              entry.action(),
              entry.target(),
              entry.actor().address(),
              entry.before(),
              entry.after(),
              entry.actor().userId(),
              entry.actor().tokenId(),
              entry.id()));
    }
  },

  JSONL("application/x-ndjson") {
    @Override
    String heading() {
      return "";
    }

    @Override
    String line(AuditEntry entry) throws IOException {
      return Json.MAPPER.writeValueAsString(AuditRoutes.view(entry)) + "\n";
    }
  };

  private static final int PAGE_SIZE = 500;

  private final String contentType;

  AuditExport(String contentType) {
    this.contentType = contentType;
  }

  static AuditExport of(String format) {
    return format.equals("csv") ? CSV : JSONL;
  }

  String contentType() {
    return contentType;
  }

  abstract String heading();

  abstract String line(AuditEntry entry) throws IOException;

  Reply.Stream stream(Db db, AuditFilter filter, BooleanSupplier stillAllowed) {
    return sink -> {
      write(sink, heading());
      AuditFilter nextFilter = filter;
      while (true) {
        AuditFilter pageFilter = nextFilter;
        List<AuditEntry> page = db.read(handle -> AuditStore.list(handle, pageFilter, PAGE_SIZE));
        if (!stillAllowed.getAsBoolean()) {
          throw new IOException("the sign-in is no longer valid");
        }
        StringBuilder text = new StringBuilder();
        for (AuditEntry entry : page) {
          text.append(line(entry));
        }
        write(sink, text.toString());
        if (page.size() < PAGE_SIZE) {
          return;
        }
        nextFilter = filter.belowId(page.getLast().id());
      }
    };
  }

  private static void write(Reply.Sink sink, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > 0) {
      sink.write(bytes, 0, bytes.length);
    }
  }
}
