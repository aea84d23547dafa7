package dev.trainyard.server.backup;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.http.SinkStream;
import dev.trainyard.server.work.WorkPools;
import java.io.UncheckedIOException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code GET /api/v3/backup}. */
public final class BackupRoutes {
  private static final Logger LOG = LoggerFactory.getLogger(BackupRoutes.class);

  private final Backup backup;
  private final Consumer<Actor> recordStart;

  /**
   * @param recordStart called with the actor before the first byte of a backup is sent
   */
  public BackupRoutes(Backup backup, Consumer<Actor> recordStart) {
    this.backup = backup;
    this.recordStart = recordStart;
  }

  public void addTo(Routes routes) {
    routes.add("GET", "/api/v3/backup", Access.MANAGE, this::write);
  }

  private Object write(Request request) {
    if (backup.isRunning()) {
      throw new AppException(ErrorCode.CONFLICT, Message.of("error.backup-under-way"));
    }
    Backup.Contents contents =
        new Backup.Contents(isRequested(request, "logs"), isRequested(request, "homes"));
    String user = request.caller().userName();
    recordStart.accept(Actor.of(request));
    Reply.Stream body =
        sink -> {
          LOG.info("started a backup for {}", user);
          try {
            Manifest manifest =
                WorkPools.BACKUPS.resume(() -> backup.write(new SinkStream(sink), contents));
            LOG.info("finished a backup for {}: {} tables", user, manifest.tables().size());
          } catch (UncheckedIOException e) {
            throw e.getCause();
          }
        };
    return Reply.of(200, body)
        .with("Content-Type", "application/gzip")
        .with("Content-Disposition", "attachment; filename=\"trainyard-backup.tar.gz\"")
        .with("Cache-Control", "no-store");
  }

  private static boolean isRequested(Request request, String name) {
    return request.query(name).map(value -> !value.equals("false")).orElse(false);
  }
}
