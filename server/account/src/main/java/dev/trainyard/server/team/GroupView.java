package dev.trainyard.server.team;

import java.util.LinkedHashMap;
import java.util.Map;

/** A group as represented in the API and the audit log. */
final class GroupView {
  private GroupView() {}

  static Map<String, Object> of(Group group) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("name", group.name());
    view.put("description", group.description());
    view.put("externalName", group.externalName());
    view.put("admin", group.admin());
    view.put("virtualClusters", group.virtualClusters());
    view.put("storages", group.storages());
    view.put("limits", StoredLimits.view(group.limits()));
    view.put("sharesJobs", group.sharesJobs());
    return view;
  }
}
