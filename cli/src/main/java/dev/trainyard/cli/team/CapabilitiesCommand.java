package dev.trainyard.cli.team;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.Table;
import dev.trainyard.cli.terminal.Table.Cell;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code capabilities}: manages the additional kernel capabilities that jobs can request. */
@picocli.CommandLine.Command(name = "capabilities")
public final class CapabilitiesCommand extends Command {
  public CapabilitiesCommand(Session session) {
    super(session);
  }

  /** The user or virtual cluster that a grant applies to. */
  static final class Grantee {
    @Option(names = "--user", paramLabel = "NAME", descriptionKey = "capability-user")
    private String user;

    @Option(names = "--vc", paramLabel = "VC", descriptionKey = "capability-vc")
    private String cluster;

    private String path(String capability) {
      return (user == null
              ? "/api/v3/virtual-clusters/" + ApiClient.encode(cluster)
              : "/api/v3/users/" + ApiClient.encode(user))
          + "/capabilities/"
          + ApiClient.encode(capability);
    }

    private String name() {
      return user == null ? cluster : user;
    }
  }

  @Override
  public Integer call() {
    Json response = api().read("/api/v3/capabilities");
    if (session().json()) {
      terminal().line(response.pretty());
      return ExitCode.OK;
    }
    Table table =
        new Table(
            List.of(
                text("cli.column.capability"),
                text("cli.column.user"),
                text("cli.column.vc"),
                text("cli.column.granted-by"),
                text("cli.column.created")));
    for (Json grant : response.list("grants")) {
      table.addRow(
          Cell.of(grant.string("capability")),
          Cell.of(grant.string("user")),
          Cell.of(grant.string("virtualCluster")),
          Cell.of(grant.string("grantedBy")),
          Cell.of(localizer().ago(grant.number("granted"), System.currentTimeMillis())));
    }
    terminal().print(table.render(terminal()));
    return ExitCode.OK;
  }

  @picocli.CommandLine.Command(name = "grant")
  int grant(
      @ArgGroup(exclusive = true, multiplicity = "1") Grantee grantee,
      @Parameters(paramLabel = "CAPABILITY", arity = "1..*", descriptionKey = "capability")
          List<String> capabilities) {
    capabilities.forEach(capability -> api().put(grantee.path(capability), Map.of()));
    return report("cli.capabilities.granted", grantee, capabilities);
  }

  @picocli.CommandLine.Command(name = "revoke")
  int revoke(
      @ArgGroup(exclusive = true, multiplicity = "1") Grantee grantee,
      @Parameters(paramLabel = "CAPABILITY", arity = "1..*", descriptionKey = "capability")
          List<String> capabilities) {
    capabilities.forEach(capability -> api().delete(grantee.path(capability)));
    return report("cli.capabilities.revoked", grantee, capabilities);
  }

  private int report(String code, Grantee grantee, List<String> capabilities) {
    String names = String.join(", ", capabilities);
    terminal()
        .line(session().json() ? "{}" : text(code, "capabilities", names, "name", grantee.name()));
    return ExitCode.OK;
  }
}
