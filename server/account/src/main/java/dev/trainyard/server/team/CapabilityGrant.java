package dev.trainyard.server.team;

import dev.trainyard.model.Capability;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The grant of a capability beyond the default set, which jobs of a user or of a virtual cluster
 * may request.
 *
 * @param user the user name; empty for a grant to a virtual cluster
 * @param virtualCluster the name of the virtual cluster; empty for a grant to a user
 */
record CapabilityGrant(
    Capability capability, String user, String virtualCluster, String grantedBy, Instant granted) {

  Map<String, Object> view() {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("capability", capability.name());
    if (user.isEmpty()) {
      view.put("virtualCluster", virtualCluster);
    } else {
      view.put("user", user);
    }
    view.put("grantedBy", grantedBy);
    view.put("granted", granted.toEpochMilli());
    return view;
  }
}
