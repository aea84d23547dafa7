package dev.trainyard.server.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class SerialStepsTest {
  private final Deque<Runnable> threads = new ArrayDeque<>();
  private final SerialSteps steps = new SerialSteps(threads::add);
  private final List<String> done = new ArrayList<>();

  private static void fail() {
    throw new OutOfMemoryError("as of a far too long text");
  }

  @Test
  void add_afterError_isRun() {
    steps.add(SerialStepsTest::fail);
    assertThatThrownBy(() -> threads.remove().run()).isInstanceOf(OutOfMemoryError.class);
    steps.add(() -> done.add("a"));
    threads.remove().run();
    assertThat(done).containsExactly("a");
  }

  @Test
  void add_beforeError_isRun() {
    steps.add(SerialStepsTest::fail);
    steps.add(() -> done.add("a"));
    assertThatThrownBy(() -> threads.remove().run()).isInstanceOf(OutOfMemoryError.class);
    threads.remove().run();
    assertThat(done).containsExactly("a");
    assertThat(threads).isEmpty();
  }
}
