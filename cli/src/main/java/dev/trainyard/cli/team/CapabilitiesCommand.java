package dev.trainyard.cli.team;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Api;
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
  static final class Holder {
    @Option(names = "--user", paramLabel = "NAME", descriptionKey = "capability-user")
    private String user;

    @Option(names = "--vc", paramLabel = "VC", descriptionKey = "capability-vc")
    private String cluster;

    private String path(String capability) {
      return (user == null
              ? "/api/v3/virtual-clusters/" + Api.part(cluster)
              : "/api/v3/users/" + Api.part(user))
          + "/capabilities/"
          + Api.part(capability);
    }

    private String name() {
      return user == null ? cluster : user;
    }
  }

  @Override
  public Integer call() {
    Json answer = api().read("/api/v3/capabilities");
    if (session().json()) {
      terminal().line(answer.pretty());
      return ExitCode.OK;
    }
    Table table =
        new Table(
            List.of(
                say("cli.column.capability"),
                say("cli.column.user"),
                say("cli.column.vc"),
                say("cli.column.granted-by"),
                say("cli.column.created")));
    for (Json grant : answer.list("grants")) {
      table.row(
          Cell.of(grant.string("capability")),
          Cell.of(grant.string("user")),
          Cell.of(grant.string("virtualCluster")),
          Cell.of(grant.string("grantedBy")),
          Cell.of(words().ago(grant.number("granted"), System.currentTimeMillis())));
    }
    terminal().print(table.on(terminal()));
    return ExitCode.OK;
  }

  @picocli.CommandLine.Command(name = "grant")
  int grant(
      @ArgGroup(exclusive = true, multiplicity = "1") Holder holder,
      @Parameters(paramLabel = "CAPABILITY", arity = "1..*", descriptionKey = "capability")
          List<String> capabilities) {
    capabilities.forEach(capability -> api().put(holder.path(capability), Map.of()));
    return report("cli.capabilities.granted", holder, capabilities);
  }

  @picocli.CommandLine.Command(name = "revoke")
  int revoke(
      @ArgGroup(exclusive = true, multiplicity = "1") Holder holder,
      @Parameters(paramLabel = "CAPABILITY", arity = "1..*", descriptionKey = "capability")
          List<String> capabilities) {
    capabilities.forEach(capability -> api().delete(holder.path(capability)));
    return report("cli.capabilities.revoked", holder, capabilities);
  }

  private int report(String code, Holder holder, List<String> capabilities) {
    String names = String.join(", ", capabilities);
    terminal()
        .line(session().json() ? "{}" : say(code, "capabilities", names, "name", holder.name()));
    return ExitCode.OK;
  }
}
