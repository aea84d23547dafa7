package dev.trainyard.server.user;

import dev.trainyard.model.Message;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Puts new users into groups; asked and told within the work that makes them. */
public interface GroupAssignment {
  /** Where there are no groups, every group is unknown. */
  GroupAssignment NONE =
      new GroupAssignment() {
        @Override
        public Optional<Message> groupProblem(Handle handle, String group) {
          return Optional.of(Message.of("error.group-unknown", "group", group));
        }

        @Override
        public Optional<Message> virtualClusterProblem(Handle handle, String virtualCluster) {
          return virtualCluster.equals("default")
              ? Optional.empty()
              : Optional.of(Message.of("error.vc-unknown", "vc", virtualCluster));
        }

        @Override
        public void assign(
            Handle handle, User user, List<String> groups, List<String> virtualClusters) {}
      };

  /** Why nobody can be put into this group. */
  Optional<Message> groupProblem(Handle handle, String group);

  /** Why nobody can be let into this virtual cluster. */
  Optional<Message> virtualClusterProblem(Handle handle, String virtualCluster);

  /** Called only with names that had no problem; also with none at all, for every new user. */
  void assign(Handle handle, User user, List<String> groups, List<String> virtualClusters);
}
