package dev.trainyard.engine.docker;

import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Info;
import dev.trainyard.engine.TaskRights;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives a container the capabilities of its task, and the filter of system calls that follows them:
 * {@code mount} is let through with SYS_ADMIN. The engine's AppArmor profile does not, so where
 * there is one, a task that may mount is without it.
 *
 * @param appArmor whether the engine puts containers under AppArmor
 */
record RightsGrant(boolean appArmor, ContainerFilter filter) {
  static RightsGrant of(Info info, ContainerFilter filter) {
    List<String> options = info.getSecurityOptions();
    return new RightsGrant(
        options != null && options.stream().anyMatch(option -> option.contains("apparmor")),
        filter);
  }

  void add(HostConfig host, TaskRights rights) {
    List<String> options = new ArrayList<>();
    filter.option(rights).ifPresent(options::add);
    if (appArmor && rights.capabilities().contains(dev.trainyard.model.Capability.SYS_ADMIN)) {
      options.add("apparmor=unconfined");
    }
    if (!options.isEmpty()) {
      host.withSecurityOpts(options);
    }
    if (rights.capabilities().isEmpty()) {
      return;
    }
    host.withCapAdd(
        rights.capabilities().stream()
            .map(one -> Capability.valueOf(one.name()))
            .toArray(Capability[]::new));
  }
}
