package dev.trainyard.server.queue;

import dev.trainyard.model.TaskId;
import dev.trainyard.server.job.Task;
import java.util.Collection;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/**
 * Stores which task owns which port of a node: one row per port, so that no port has two owners.
 */
final class PortStore {
  /**
   * Thrown if a port has an owner that is unknown to this server: another server, or a row that
   * remained after an earlier error.
   */
  static final class TakenException extends RuntimeException {
    private final transient NodePort port;

    TakenException(NodePort port) {
      super("port " + port + " is already in use");
      this.port = port;
    }

    NodePort port() {
      return port;
    }
  }

  /** A port of a node. */
  record NodePort(String node, int port) {}

  private PortStore() {}

  /**
   * Stores the ports of each task. Throws if one of the ports already has an owner, so that the
   * transaction is rolled back.
   */
  static void insert(Handle handle, List<Task> tasks) {
    PreparedBatch batch =
        handle.prepareBatch(
            """
            insert into port (node, port, job_id, attempt, role, task_index) \
            values (:node, :port, :job, :attempt, :role, :index) \
            on conflict (node, port) do nothing\
            """);
    for (Task task : tasks) {
      for (int port : task.ports().all()) {
        batch
            .bind("node", task.node())
            .bind("port", port)
            .bind("job", task.id().job().value())
            .bind("attempt", task.id().attempt())
            .bind("role", task.id().role())
            .bind("index", task.id().index())
            .add();
      }
    }
    int[] insertCounts = batch.execute();
    int row = 0;
    for (Task task : tasks) {
      for (int port : task.ports().all()) {
        if (insertCounts[row++] == 0) {
          throw new TakenException(new NodePort(task.node(), port));
        }
      }
    }
  }

  /** Releases the ports of finished tasks. */
  static void delete(Handle handle, Collection<TaskId> tasks) {
    PreparedBatch batch =
        handle.prepareBatch(
            """
            delete from port where job_id = :job and attempt = :attempt and role = :role \
            and task_index = :index\
            """);
    for (TaskId task : tasks) {
      batch
          .bind("job", task.job().value())
          .bind("attempt", task.attempt())
          .bind("role", task.role())
          .bind("index", task.index())
          .add();
    }
    batch.execute();
  }
}
