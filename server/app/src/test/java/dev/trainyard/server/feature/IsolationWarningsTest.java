package dev.trainyard.server.feature;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.DataSize;
import dev.trainyard.model.Isolation;
import dev.trainyard.model.Isolation.Level;
import dev.trainyard.model.Message;
import dev.trainyard.model.Node;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class IsolationWarningsTest {
  @Test
  void of_weakerNode_oneWarningForEachAspect() {
    Isolation complete =
        new Isolation(Level.PRIVATE, Level.PRIVATE, Level.PRIVATE, Level.PRIVATE, Level.PRIVATE);
    Isolation weaker =
        new Isolation(Level.PRIVATE, Level.PRIVATE, Level.NONE, Level.NONE, Level.PRIVATE);

    assertThat(IsolationWarnings.of(List.of(node(complete)), Optional.empty())).isEmpty();
    assertThat(IsolationWarnings.of(List.of(node(complete), node(weaker)), Optional.empty()))
        .extracting(Message::code)
        .containsExactly("notice.shared-network", "notice.limits-not-enforced");
  }

  @Test
  void of_missingSandbox_hasTheRemedyInsteadOfTheWarningAboutFiles() {
    Isolation none = new Isolation(Level.NONE, Level.NONE, Level.NONE, Level.NONE, Level.NONE);
    Message missing =
        Message.of("notice.missing-sandbox", "problem", "p").with("remedy", "sysctl x=1");
    assertThat(IsolationWarnings.of(List.of(node(none)), Optional.of(missing)))
        .startsWith(missing)
        .extracting(Message::code)
        .contains("notice.shared-network")
        .doesNotContain("notice.shared-files");
  }

  private static Node node(Isolation isolation) {
    return new Node("n", 1, DataSize.ofMegabytes(1), List.of(), Map.of(), isolation);
  }
}
