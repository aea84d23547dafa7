package dev.trainyard.server.team;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.Handle;

/**
 * Rules for groups and virtual clusters. Every call reads the database and nothing is cached, so a
 * change takes effect immediately, even if another server made it. Thread-safe.
 */
public final class TeamService {
  private final Db db;
  private final Audit audit;
  private final Consumer<String> rightsChanged;
  private final UserLimits limits;
  private final StorageService storages;
  private final CapabilityService capabilities;
  private final List<Runnable> quotaListeners = new CopyOnWriteArrayList<>();

  /**
   * @param defaults limits that apply where neither the user nor a group has a limit
   * @param rightsChanged receives the ID of each user whose rights may have changed
   */
  public TeamService(Db db, Audit audit, Limits defaults, Consumer<String> rightsChanged) {
    this.db = db;
    this.audit = audit;
    this.limits = new UserLimits(db, audit, defaults, this::quotasChanged);
    this.storages = new StorageService(db, audit);
    this.capabilities = new CapabilityService(db, audit);
    this.rightsChanged = rightsChanged;
  }

  public UserLimits limits() {
    return limits;
  }

  public StorageService storages() {
    return storages;
  }

  public CapabilityService capabilities() {
    return capabilities;
  }

  /** Registers a listener that is called after every change of a quota or limit. */
  public void onQuotaChange(Runnable listener) {
    quotaListeners.add(listener);
  }

  private void quotasChanged() {
    quotaListeners.forEach(Runnable::run);
  }

  public List<Group> groups() {
    return db.read(GroupStore::list);
  }

  public Optional<Group> group(String name) {
    return db.read(handle -> GroupStore.find(handle, name));
  }

  /** Returns the names of the members of a group, sorted; empty if the group does not exist. */
  public List<String> members(String group) {
    return db.read(handle -> MembershipStore.members(handle, group));
  }

  public List<String> groupsOf(String userId) {
    return db.read(handle -> MembershipStore.groupsOf(handle, userId));
  }

  /** Returns whether the members of any of the user's groups see each other's jobs. */
  public boolean sharesJobs(String userId) {
    return db.read(handle -> GroupStore.sharesJobs(handle, userId));
  }

  /**
   * Returns the virtual clusters that the user's groups grant. An administrator may use other
   * virtual clusters too.
   */
  public Set<String> virtualClustersOf(String userId) {
    return grantsOf(userId, GroupStore.VIRTUAL_CLUSTER);
  }

  public Set<String> storagesOf(String userId) {
    return grantsOf(userId, GroupStore.STORAGE);
  }

  private Set<String> grantsOf(String userId, String kind) {
    return new LinkedHashSet<>(db.read(handle -> GroupStore.grantsOf(handle, userId, kind)));
  }

  public boolean mayUse(String userId, boolean admin, String virtualCluster) {
    return db.read(handle -> mayUse(handle, userId, admin, virtualCluster));
  }

  static boolean mayUse(Handle handle, String userId, boolean admin, String virtualCluster) {
    return admin
        ? VirtualClusterStore.find(handle, virtualCluster)
            .filter(cluster -> cluster.name().equals(virtualCluster))
            .isPresent()
        : GroupStore.isGranted(handle, userId, GroupStore.VIRTUAL_CLUSTER, virtualCluster);
  }

  public List<VirtualCluster> virtualClusters() {
    return db.read(VirtualClusterStore::list);
  }

  public Optional<VirtualCluster> virtualCluster(String name) {
    return db.read(handle -> VirtualClusterStore.find(handle, name));
  }

  public Group createGroup(Actor actor, Group group) {
    requireName("group", group.name());
    db.write(
        handle -> {
          if (GroupStore.find(handle, group.name()).isPresent()) {
            throw new AppException(
                ErrorCode.NAME_TAKEN, Message.of("error.group-taken", "group", group.name()));
          }
          GroupStore.insert(handle, withCanonicalGrants(handle, group));
          audit.record(handle, actor, "group.create", target(group), Map.of(), GroupView.of(group));
          return null;
        });
    return loadGroup(group.name());
  }

  /**
   * @param change returns the new state of the group; the name cannot change
   */
  public Group changeGroup(Actor actor, String name, UnaryOperator<Group> change) {
    List<String> members =
        db.write(
            handle -> {
              Group before = loadGroup(handle, name);
              Group after = withCanonicalGrants(handle, change.apply(before));
              if (before.isBuiltIn() && before.admin() != after.admin()) {
                throw new AppException(
                    ErrorCode.CONFLICT, Message.of("error.group-built-in", "group", before.name()));
              }
              GroupStore.update(handle, after);
              if (before.admin() && !after.admin()) {
                AdministratorStore.requireAdministrator(handle, before.name());
              }
              audit.record(
                  handle,
                  actor,
                  "group.change",
                  target(before),
                  GroupView.of(before),
                  GroupView.of(after));
              return MembershipStore.memberIds(handle, before.name());
            });
    members.forEach(rightsChanged);
    quotasChanged();
    return loadGroup(name);
  }

  /** Deletes a group; its grants are revoked immediately. */
  public void deleteGroup(Actor actor, String name) {
    List<String> members =
        db.write(
            handle -> {
              Group group = loadGroup(handle, name);
              if (group.isBuiltIn()) {
                throw new AppException(
                    ErrorCode.CONFLICT, Message.of("error.group-built-in", "group", group.name()));
              }
              List<String> ids = MembershipStore.memberIds(handle, group.name());
              GroupStore.delete(handle, group.name());
              if (group.admin()) {
                AdministratorStore.requireAdministrator(handle, group.name());
              }
              audit.record(
                  handle, actor, "group.delete", target(group), GroupView.of(group), Map.of());
              return ids;
            });
    members.forEach(rightsChanged);
    quotasChanged();
  }

  /** Adds a user to a group; does nothing if the user is already a member. */
  public void addMember(Actor actor, String group, String user) {
    changeMembership(actor, group, user, true);
  }

  /**
   * Removes a user from a group; does nothing if the user is not a member. Running jobs continue.
   */
  public void removeMember(Actor actor, String group, String user) {
    changeMembership(actor, group, user, false);
  }

  private void changeMembership(Actor actor, String group, String user, boolean add) {
    notifyRightsChanged(db.write(handle -> changeMembership(handle, actor, group, user, add)));
  }

  /**
   * Adds a user to groups in the caller's transaction. The caller must call {@link
   * #notifyRightsChanged} after the commit.
   *
   * @return the ID of the user
   */
  public String addToGroups(Handle handle, Actor actor, String userName, List<String> groups) {
    groups.forEach(group -> changeMembership(handle, actor, group, userName, true));
    return TeamUserStore.load(handle, userName).id();
  }

  /** Notifies all listeners that the rights of a user have changed. */
  public void notifyRightsChanged(String userId) {
    rightsChanged.accept(userId);
    quotasChanged();
  }

  private String changeMembership(
      Handle handle, Actor actor, String groupName, String userName, boolean add) {
    Group group = loadGroup(handle, groupName);
    TeamUser user = TeamUserStore.load(handle, userName);
    boolean changed =
        add
            ? MembershipStore.add(handle, group.name(), user.id())
            : MembershipStore.remove(handle, group.name(), user.id());
    if (!add && group.admin()) {
      AdministratorStore.requireAdministrator(handle, group.name());
    }
    if (changed) {
      Map<String, Object> memberDetails = Map.of("user", user.name());
      audit.record(
          handle,
          actor,
          add ? "group.add-member" : "group.remove-member",
          target(group),
          add ? Map.of() : memberDetails,
          add ? memberDetails : Map.of());
    }
    return user.id();
  }

  /** Replaces the groups of a user. */
  public void setGroups(Actor actor, String userName, List<String> groups) {
    String id =
        db.write(
            handle -> {
              TeamUser user = TeamUserStore.load(handle, userName);
              List<String> requestedGroups =
                  groups.stream().map(name -> loadGroup(handle, name).name()).distinct().toList();
              List<String> before = MembershipStore.groupsOf(handle, user.id());
              // Existing memberships are not added again, because this would turn external
              // memberships into local ones.
              requestedGroups.stream()
                  .filter(group -> !before.contains(group))
                  .forEach(group -> MembershipStore.add(handle, group, user.id()));
              for (String group : before) {
                if (!requestedGroups.contains(group)) {
                  MembershipStore.remove(handle, group, user.id());
                  if (loadGroup(handle, group).admin()) {
                    AdministratorStore.requireAdministrator(handle, group);
                  }
                }
              }
              audit.record(
                  handle,
                  actor,
                  "user.groups",
                  "user:" + user.name(),
                  Map.of("groups", before),
                  Map.of("groups", requestedGroups));
              return user.id();
            });
    rightsChanged.accept(id);
    quotasChanged();
  }

  /**
   * Updates the memberships of a user as an external issuer reports them: adds the user to the
   * reported groups, and removes the user from groups that this issuer reported earlier but no
   * longer reports. Memberships that were added locally or by other issuers are not changed.
   *
   * @param issuer the external issuer
   * @param isMember returns whether the user is a member of the group with this external name
   */
  public void syncExternalMemberships(
      Actor actor, String userName, String issuer, Predicate<String> isMember) {
    String id =
        db.write(
            handle -> {
              TeamUser user = TeamUserStore.load(handle, userName);
              var changes = syncMemberships(handle, actor, user, issuer, isMember);
              return changes.joined().isEmpty() && changes.left().isEmpty() ? "" : user.id();
            });
    if (!id.isEmpty()) {
      notifyRightsChanged(id);
    }
  }

  /**
   * Adds a new user to the groups that an external issuer reports, in the caller's transaction.
   * After the commit, the caller must call {@link #notifyRightsChanged}. If these groups grant a
   * virtual cluster, the user is removed from the group {@code default}, see {@link
   * InitialMembership#replaceDefault}.
   */
  public void addInitialMemberships(
      Handle handle, Actor actor, String userName, String issuer, Predicate<String> isMember) {
    TeamUser user = TeamUserStore.load(handle, userName);
    List<String> joined =
        syncMemberships(handle, actor, user, issuer, isMember).joined().stream()
            .map(Group::name)
            .toList();
    String externalName = loadGroup(handle, Group.DEFAULT).externalName();
    if (externalName.isEmpty() || !isMember.test(externalName)) {
      InitialMembership.replaceDefault(handle, user.id(), joined, List.of());
    }
  }

  private ExternalMemberships.Changes syncMemberships(
      Handle handle, Actor actor, TeamUser user, String issuer, Predicate<String> isMember) {
    var changes = ExternalMemberships.sync(handle, user.id(), issuer, isMember);
    Map<String, Object> memberDetails = Map.of("user", user.name(), "outside", true);
    for (Group group : changes.joined()) {
      audit.record(handle, actor, "group.add-member", target(group), Map.of(), memberDetails);
    }
    for (Group group : changes.left()) {
      audit.record(handle, actor, "group.remove-member", target(group), memberDetails, Map.of());
    }
    return changes;
  }

  public VirtualCluster createVirtualCluster(Actor actor, VirtualCluster cluster) {
    requireName("vc", cluster.name());
    db.write(
        handle -> {
          if (VirtualClusterStore.find(handle, cluster.name()).isPresent()) {
            throw new AppException(
                ErrorCode.NAME_TAKEN, Message.of("error.vc-taken", "vc", cluster.name()));
          }
          VirtualClusterStore.insert(handle, cluster);
          audit.record(handle, actor, "vc.create", target(cluster), Map.of(), view(cluster));
          return null;
        });
    quotasChanged();
    return loadVirtualCluster(cluster.name());
  }

  /**
   * @param change returns the new state of the virtual cluster; the name cannot change
   */
  public VirtualCluster changeVirtualCluster(
      Actor actor, String name, UnaryOperator<VirtualCluster> change) {
    db.write(
        handle -> {
          VirtualCluster before = loadVirtualCluster(handle, name);
          VirtualCluster after = change.apply(before);
          VirtualClusterStore.update(handle, after);
          audit.record(handle, actor, "vc.change", target(before), view(before), view(after));
          return null;
        });
    quotasChanged();
    return loadVirtualCluster(name);
  }

  public void deleteVirtualCluster(Actor actor, String name) {
    db.write(
        handle -> {
          VirtualCluster cluster = loadVirtualCluster(handle, name);
          if (cluster.name().equals(VirtualCluster.DEFAULT)) {
            throw new AppException(
                ErrorCode.CONFLICT, Message.of("error.vc-built-in", "vc", cluster.name()));
          }
          int jobCount = VirtualClusterStore.countUnfinishedJobs(handle, cluster.name());
          if (jobCount > 0) {
            throw new AppException(
                ErrorCode.CONFLICT,
                Message.of("error.vc-has-jobs", "vc", cluster.name()).with("count", jobCount));
          }
          GroupStore.deleteGrants(handle, GroupStore.VIRTUAL_CLUSTER, cluster.name());
          VirtualClusterStore.delete(handle, cluster.name());
          audit.record(handle, actor, "vc.delete", target(cluster), view(cluster), Map.of());
          return null;
        });
    quotasChanged();
  }

  public Group loadGroup(String name) {
    return db.read(handle -> loadGroup(handle, name));
  }

  private static Group loadGroup(Handle handle, String name) {
    return GroupStore.find(handle, name).orElseThrow(() -> noGroup(name));
  }

  static AppException noGroup(String name) {
    return new AppException(ErrorCode.NOT_FOUND, Message.of("error.no-group", "group", name));
  }

  public VirtualCluster loadVirtualCluster(String name) {
    return db.read(handle -> loadVirtualCluster(handle, name));
  }

  static VirtualCluster loadVirtualCluster(Handle handle, String name) {
    return VirtualClusterStore.find(handle, name).orElseThrow(() -> noVirtualCluster(name));
  }

  static AppException noVirtualCluster(String name) {
    return new AppException(ErrorCode.NOT_FOUND, Message.of("error.no-vc", "vc", name));
  }

  /**
   * Returns the group with canonical names of its virtual clusters, and without duplicate grants.
   */
  private static Group withCanonicalGrants(Handle handle, Group group) {
    List<String> clusters = new ArrayList<>();
    for (String name : group.virtualClusters()) {
      clusters.add(loadVirtualCluster(handle, name).name());
    }
    return group
        .withVirtualClusters(clusters.stream().distinct().toList())
        .withStorages(group.storages().stream().distinct().toList());
  }

  private static void requireName(String kind, String name) {
    if (!TeamNameRules.isValid(name)) {
      throw new AppException(
          ErrorCode.BAD_REQUEST, Message.of("error." + kind + "-name", "name", name));
    }
  }

  private static String target(Group group) {
    return "group:" + group.name();
  }

  private static String target(VirtualCluster cluster) {
    return "vc:" + cluster.name();
  }

  private static Map<String, Object> view(VirtualCluster cluster) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("description", cluster.description());
    view.put("quota", StoredLimits.view(cluster.quota()));
    return view;
  }

  /** Returns the names of the groups of each user who is in a group, by user ID. */
  public Map<String, List<String>> groupsByUser() {
    return db.read(MembershipStore::groupsByUser);
  }
}
