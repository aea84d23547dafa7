package dev.trainyard.server.queue;

import dev.trainyard.engine.Engine;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** Creates notices that inform the owner of a job how the job will run. */
public final class JobNotices {
  private JobNotices() {}

  public static Function<JobSpec, List<Message>> of(Engine engine) {
    return spec ->
        Stream.of(engine.notices(spec), Peers.notices(spec), TaskEnvironment.notices(spec))
            .flatMap(List::stream)
            .toList();
  }
}
