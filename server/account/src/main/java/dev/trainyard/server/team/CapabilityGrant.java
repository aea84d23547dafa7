package dev.trainyard.server.team;

import dev.trainyard.model.Capability;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A right beyond the usual that a user's jobs, or those of a virtual cluster, may ask for.
 *
 * @param user the name; empty if it is a virtual cluster's
 * @param virtualCluster empty if it is a user's
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
