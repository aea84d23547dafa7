package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.linux.IdRange;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LayersTest {
  @TempDir Path directory;

  @Test
  void commonLayers_directoryDeleted_areRecreated() throws Exception {
    RealEngine.requireRoot();
    Path data = Files.createDirectories(directory.resolve("data/layers")).getParent();
    Layers layers = new Layers(data, List.of(Path.of("/")));
    Path commonLayers = layers.commonLayers(IdRange.unused());
    assertThat(commonLayers).isDirectory();
    Trash.deleteTree(data.resolve("layers"));
    assertThat(data.resolve("layers")).doesNotExist();
    assertThat(layers.commonLayers(IdRange.unused())).isEqualTo(commonLayers).isDirectory();
  }
}
