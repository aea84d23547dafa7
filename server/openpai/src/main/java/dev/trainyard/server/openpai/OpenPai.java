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

  public OpenPai(Services services) {
    JobAccess access = new JobAccess(services.jobs());
    JobOperations jobs =
        new JobOperations(
            services.jobs(),
            new JobLists(services.db()),
            new JobTags(services.db(), services.clock()),
            new TaskRuns(services.db()),
            services.clock());
    Supplier<Inventory> inventory = () -> Inventory.of(services.queue(), services.jobs());
    this.logs =
        new LogOperations(
            services.jobs(),
            access,
            services.logs(),
            new LogRemovalStore(services.db()),
            new LogLinks(holder -> isEnabled(services.users(), holder), services.clock()));
    this.routes =
        new OpenPaiRoutes(
            List.of(
                new AuthnOperations(
                    services.users(),
                    services.tokens(),
                    services.literalErrors(),
                    services.oidc().isEnabled(),
                    services.version()),
                new OidcOperations(services.oidc(), services.tokens()),
                new TokenOperations(
                    services.tokens(),
                    new ApplicationTokens(services.db(), services.tokens(), services.clock())),
                new UserOperations(users(services)),
                new GroupOperations(services.teams(), services.users()),
                new StorageOperations(services.teams()),
                jobs,
                logs,
                new EventOperations(services.db(), new EventStore(), access),
                new V1Operations(jobs, access),
                new ClusterOperations(inventory, new TeamClusters(services.teams())),
                new KubernetesOperations(inventory),
                new AlertOperations(services.warnings(), services.clock())));
  }

  private static PaiUsers users(Services services) {
    return new PaiUsers(
        services.users(),
        new ProfileService(services.db(), services.clock()),
        services.teams(),
        services.passwordChanged());
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
