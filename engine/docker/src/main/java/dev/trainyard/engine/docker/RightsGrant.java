package dev.trainyard.engine.docker;

import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Info;
import dev.trainyard.engine.TaskRights;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives a container the capabilities of its task, and the matching system call filter: {@code
 * mount} is permitted with SYS_ADMIN. The engine's AppArmor profile does not permit {@code mount},
 * so a task with SYS_ADMIN runs without that profile.
 *
 * @param appArmor whether the engine applies AppArmor to containers
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
            .map(capability -> Capability.valueOf(capability.name()))
            .toArray(Capability[]::new));
  }
}
