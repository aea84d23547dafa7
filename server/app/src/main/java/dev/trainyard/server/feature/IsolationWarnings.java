package dev.trainyard.server.feature;

import dev.trainyard.model.Isolation;
import dev.trainyard.model.Isolation.Level;
import dev.trainyard.model.Message;
import dev.trainyard.model.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Creates warnings about nodes that do not isolate their tasks completely. A pure function. */
final class IsolationWarnings {
  private IsolationWarnings() {}

  /**
   * Returns one warning for each aspect that at least one node does not isolate.
   *
   * @param missingSandbox reason why tasks run without a sandbox, with the remedy; empty if they
   *     run in a sandbox
   */
  static List<Message> of(List<Node> nodes, Optional<Message> missingSandbox) {
    List<Message> warnings = new ArrayList<>();
    if (missingSandbox.isPresent()) {
      warnings.add(missingSandbox.get());
    } else {
      add(warnings, nodes, Isolation::files, "notice.shared-files");
    }
    add(warnings, nodes, Isolation::processes, "notice.shared-processes");
    add(warnings, nodes, Isolation::network, "notice.shared-network");
    add(warnings, nodes, Isolation::limits, "notice.limits-not-enforced");
    add(warnings, nodes, Isolation::systemCalls, "notice.system-calls-not-filtered");
    return warnings;
  }

  private static void add(
      List<Message> warnings, List<Node> nodes, Function<Isolation, Level> aspect, String code) {
    if (nodes.stream().anyMatch(node -> aspect.apply(node.isolation()) == Level.NONE)) {
      warnings.add(Message.of(code));
    }
  }
}
