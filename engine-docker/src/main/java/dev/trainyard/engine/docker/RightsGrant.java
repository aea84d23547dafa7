package dev.trainyard.engine.docker;

import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Info;
import dev.trainyard.engine.TaskRights;
import java.util.List;

/**
 * Gives a container the capabilities of its task. Docker's seccomp filter follows them by itself:
 * {@code mount} is let through with SYS_ADMIN. Its AppArmor profile does not, so where there is
 * one, a task that may mount is without it.
 *
 * @param appArmor whether the engine puts containers under AppArmor
 */
record RightsGrant(boolean appArmor) {
  static RightsGrant of(Info info) {
    List<String> options = info.getSecurityOptions();
    return new RightsGrant(
        options != null && options.stream().anyMatch(option -> option.contains("apparmor")));
  }

  void add(HostConfig host, TaskRights rights) {
    if (rights.capabilities().isEmpty()) {
      return;
    }
    host.withCapAdd(
        rights.capabilities().stream()
            .map(one -> Capability.valueOf(one.name()))
            .toArray(Capability[]::new));
    if (appArmor && rights.capabilities().contains(dev.trainyard.model.Capability.SYS_ADMIN)) {
      host.withSecurityOpts(List.of("apparmor=unconfined"));
    }
  }
}
