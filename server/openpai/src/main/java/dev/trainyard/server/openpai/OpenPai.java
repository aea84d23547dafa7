package dev.trainyard.server.openpai;

import dev.trainyard.model.Message;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.event.EventStore;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.job.JobLists;
import dev.trainyard.server.job.JobService;
import dev.trainyard.server.job.JobTags;
import dev.trainyard.server.job.TaskRuns;
import dev.trainyard.server.log.LogRemovalStore;
import dev.trainyard.server.log.LogStore;
import dev.trainyard.server.oidc.Oidc;
import dev.trainyard.server.queue.QueuePipeline;
import dev.trainyard.server.team.TeamService;
import dev.trainyard.server.token.ApplicationTokens;
import dev.trainyard.server.token.TokenService;
import dev.trainyard.server.user.ProfileService;
import dev.trainyard.server.user.User;
import dev.trainyard.server.user.UserService;
import java.time.Clock;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Assembles OpenPAI's API and pages. */
public final class OpenPai {
  private final OpenPaiRoutes routes;
  private final LogOperations logs;

  /**
   * Services that the API uses.
   *
   * @param warnings returns the current warnings of the server
   * @param literalErrors whether a failed sign-in reveals, as in OpenPAI, that the user name is
   *     unknown
   * @param passwordChanged called after a user's password was changed
   */
  public record Services(
      Db db,
      Clock clock,
      UserService users,
      TokenService tokens,
      TeamService teams,
      Oidc oidc,
      JobService jobs,
      QueuePipeline queue,
      LogStore logs,
      Supplier<List<Message>> warnings,
      boolean literalErrors,
      String version,
      Consumer<User> passwordChanged) {}

  public OpenPai(Services with) {
    JobAccess access = new JobAccess(with.jobs());
    JobOperations jobs =
        new JobOperations(
            with.jobs(),
            new JobLists(with.db()),
            new JobTags(with.db(), with.clock()),
            new TaskRuns(with.db()),
            with.clock());
    Supplier<Inventory> inventory = () -> Inventory.of(with.queue(), with.jobs());
    this.logs =
        new LogOperations(
            with.jobs(),
            access,
            with.logs(),
            new LogRemovalStore(with.db()),
            new LogLinks(holder -> isEnabled(with.users(), holder), with.clock()));
    this.routes =
        new OpenPaiRoutes(
            List.of(
                new AuthnOperations(
                    with.users(),
                    with.tokens(),
                    with.literalErrors(),
                    with.oidc().isEnabled(),
                    with.version()),
                new OidcOperations(with.oidc(), with.tokens()),
                new TokenOperations(
                    with.tokens(), new ApplicationTokens(with.db(), with.tokens(), with.clock())),
                new UserOperations(users(with)),
                new GroupOperations(with.teams(), with.users()),
                new StorageOperations(with.teams()),
                jobs,
                logs,
                new EventOperations(with.db(), new EventStore(), access),
                new V1Operations(jobs, access),
                new ClusterOperations(inventory, new TeamClusters(with.teams())),
                new KubernetesOperations(inventory),
                new AlertOperations(with.warnings(), with.clock())));
  }

  private static PaiUsers users(Services with) {
    return new PaiUsers(
        with.users(),
        new ProfileService(with.db(), with.clock()),
        with.teams(),
        with.passwordChanged());
  }

  List<Operation> operations() {
    return routes.operations();
  }

  private static boolean isEnabled(UserService users, LogLinks.Holder holder) {
    return users
        .find(holder.userName())
        .filter(user -> user.id().equals(holder.userId()) && !user.disabled())
        .isPresent();
  }

  public void addTo(Routes target) {
    routes.addTo(target);
    logs.addTo(target);
    PageRedirects.addTo(target);
  }
}
