package dev.trainyard.server.openpai;

import dev.trainyard.server.http.Caller;
import dev.trainyard.server.team.TeamService;
import dev.trainyard.server.team.VirtualCluster;
import java.util.List;
import java.util.Set;

/** The virtual clusters that a user's groups grant; for administrators, all virtual clusters. */
record TeamClusters(TeamService teams) implements PaiClusters {
  @Override
  public List<Cluster> visibleTo(Caller caller) {
    Set<String> granted = teams.virtualClustersOf(caller.userId());
    return teams.virtualClusters().stream()
        .filter(vc -> caller.admin() || granted.contains(vc.name()))
        .map(TeamClusters::cluster)
        .toList();
  }

  private static Cluster cluster(VirtualCluster vc) {
    return new Cluster(vc.name(), vc.quota().cpus(), vc.quota().memory(), vc.quota().devices());
  }
}
