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
 * The rules about groups and virtual clusters. Nothing is kept in memory: whoever asks is told what
 * the database says, so a change counts at once, whichever server made it. Thread-safe.
 */
public final class TeamService {
  private final Db db;
  private final Audit audit;
  private final Consumer<String> rightsChanged;
  private final UserLimits limits;
  private final StorageService storageService;
  private final CapabilityService capabilityService;
  private final List<Runnable> quotaListeners = new CopyOnWriteArrayList<>();

  /**
   * @param everybody the limits of those of whom nothing else is said
   * @param rightsChanged is told the id of each user who may have more or fewer rights than before
   */
  public TeamService(Db db, Audit audit, Limits everybody, Consumer<String> rightsChanged) {
    this.db = db;
    this.audit = audit;
    this.limits = new UserLimits(db, audit, everybody, this::quotasChanged);
    this.storageService = new StorageService(db, audit);
    this.capabilityService = new CapabilityService(db, audit);
    this.rightsChanged = rightsChanged;
  }

  public UserLimits limits() {
    return limits;
  }

  public StorageService storages() {
    return storageService;
  }

  public CapabilityService capabilities() {
    return capabilityService;
  }

  /** Has somebody told after every change of a quota or limit. */
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

  /** Names of those who are in a group, in their order; none of a group that is not there. */
  public List<String> members(String group) {
    return db.read(handle -> Memberships.members(handle, group));
  }

  public List<String> groupsOf(String userId) {
    return db.read(handle -> Memberships.groupsOf(handle, userId));
  }

  /** Whether any of the user's groups lets its members see each other's jobs. */
  public boolean sharesJobs(String userId) {
    return db.read(handle -> GroupStore.sharesJobs(handle, userId));
  }

  /** Those that the user's groups grant; an administrator may use all the others as well. */
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
            .filter(found -> found.name().equals(virtualCluster))
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
          GroupStore.insert(handle, known(handle, group));
          audit.record(handle, actor, "group.create", target(group), Map.of(), GroupView.of(group));
          return null;
        });
    return loadGroup(group.name());
  }

  /**
   * @param change gives the group as it shall be; its name stays
   */
  public Group changeGroup(Actor actor, String name, UnaryOperator<Group> change) {
    List<String> members =
        db.write(
            handle -> {
              Group before = loadGroup(handle, name);
              Group after = known(handle, change.apply(before));
              if (before.isBuiltIn() && before.admin() != after.admin()) {
                throw new AppException(
                    ErrorCode.CONFLICT, Message.of("error.group-built-in", "group", before.name()));
              }
              GroupStore.update(handle, after);
              if (before.admin() && !after.admin()) {
                Administrators.requireOne(handle, before.name());
              }
              audit.record(
                  handle,
                  actor,
                  "group.change",
                  target(before),
                  GroupView.of(before),
                  GroupView.of(after));
              return Memberships.memberIds(handle, before.name());
            });
    members.forEach(rightsChanged);
    quotasChanged();
    return loadGroup(name);
  }

  /** Takes away at once whatever it granted. */
  public void deleteGroup(Actor actor, String name) {
    List<String> members =
        db.write(
            handle -> {
              Group group = loadGroup(handle, name);
              if (group.isBuiltIn()) {
                throw new AppException(
                    ErrorCode.CONFLICT, Message.of("error.group-built-in", "group", group.name()));
              }
              List<String> ids = Memberships.memberIds(handle, group.name());
              GroupStore.delete(handle, group.name());
              if (group.admin()) {
                Administrators.requireOne(handle, group.name());
              }
              audit.record(
                  handle, actor, "group.delete", target(group), GroupView.of(group), Map.of());
              return ids;
            });
    members.forEach(rightsChanged);
    quotasChanged();
  }

  /** Does nothing if the user is in it already. */
  public void addMember(Actor actor, String group, String user) {
    member(actor, group, user, true);
  }

  /** Does nothing if the user is not in it. Jobs that run go on. */
  public void removeMember(Actor actor, String group, String user) {
    member(actor, group, user, false);
  }

  private void member(Actor actor, String group, String user, boolean add) {
    joined(db.write(handle -> member(handle, actor, group, user, add)));
  }

  /**
   * Part of a work: puts somebody into groups. {@link #joined} must follow when it is committed.
   *
   * @return the id of the user
   */
  public String join(Handle handle, Actor actor, String userName, List<String> groups) {
    groups.forEach(group -> member(handle, actor, group, userName, true));
    return TeamUser.load(handle, userName).id();
  }

  /** Lets everybody know whose rights have changed. */
  public void joined(String userId) {
    rightsChanged.accept(userId);
    quotasChanged();
  }

  private String member(
      Handle handle, Actor actor, String groupName, String userName, boolean add) {
    Group group = loadGroup(handle, groupName);
    TeamUser user = TeamUser.load(handle, userName);
    boolean changed =
        add
            ? Memberships.add(handle, group.name(), user.id())
            : Memberships.remove(handle, group.name(), user.id());
    if (!add && group.admin()) {
      Administrators.requireOne(handle, group.name());
    }
    if (changed) {
      Map<String, Object> who = Map.of("user", user.name());
      audit.record(
          handle,
          actor,
          add ? "group.add-member" : "group.remove-member",
          target(group),
          add ? Map.of() : who,
          add ? who : Map.of());
    }
    return user.id();
  }

  /** Makes these exactly the user's groups. */
  public void setGroups(Actor actor, String userName, List<String> groups) {
    String id =
        db.write(
            handle -> {
              TeamUser user = TeamUser.load(handle, userName);
              List<String> wanted =
                  groups.stream().map(name -> loadGroup(handle, name).name()).distinct().toList();
              List<String> before = Memberships.groupsOf(handle, user.id());
              // Those that are there stay whoever's they are: a list says less than a gift by hand.
              wanted.stream()
                  .filter(group -> !before.contains(group))
                  .forEach(group -> Memberships.add(handle, group, user.id()));
              for (String group : before) {
                if (!wanted.contains(group)) {
                  Memberships.remove(handle, group, user.id());
                  if (loadGroup(handle, group).admin()) {
                    Administrators.requireOne(handle, group);
                  }
                }
              }
              audit.record(
                  handle,
                  actor,
                  "user.groups",
                  "user:" + user.name(),
                  Map.of("groups", before),
                  Map.of("groups", wanted));
              return user.id();
            });
    rightsChanged.accept(id);
    quotasChanged();
  }

  /**
   * Puts somebody into the groups that a place outside says they are in, and out of those that it
   * said before and no longer says. Memberships that were given here, or told by others, stay.
   *
   * @param issuer the place outside
   * @param told whether the person is in the group that has this external name
   */
  public void followOutside(Actor actor, String userName, String issuer, Predicate<String> told) {
    String id =
        db.write(
            handle -> {
              TeamUser user = TeamUser.load(handle, userName);
              var changes = OutsideMemberships.follow(handle, user.id(), issuer, told);
              Map<String, Object> who = Map.of("user", user.name(), "outside", true);
              for (Group group : changes.joined()) {
                audit.record(handle, actor, "group.add-member", target(group), Map.of(), who);
              }
              for (Group group : changes.left()) {
                audit.record(handle, actor, "group.remove-member", target(group), who, Map.of());
              }
              return changes.joined().isEmpty() && changes.left().isEmpty() ? "" : user.id();
            });
    if (!id.isEmpty()) {
      rightsChanged.accept(id);
      quotasChanged();
    }
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
   * @param change gives the virtual cluster as it shall be; its name stays
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
          int jobs = VirtualClusterStore.unfinishedJobs(handle, cluster.name());
          if (jobs > 0) {
            throw new AppException(
                ErrorCode.CONFLICT,
                Message.of("error.vc-has-jobs", "vc", cluster.name()).with("count", jobs));
          }
          GroupStore.withdraw(handle, GroupStore.VIRTUAL_CLUSTER, cluster.name());
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

  /** The group with each grant once and as it is really called. */
  private static Group known(Handle handle, Group group) {
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
}
