package dev.trainyard.engine.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StopMarkTest {
  @TempDir Path directory;
  private Path expired;
  private StopMark mark;

  @BeforeEach
  void create() {
    expired = directory.resolve("expired-stop");
    StopMark.createExpired(expired);
    StopMark.createExpired(expired);
    mark = new StopMark(directory.resolve("stop"), expired);
  }

  @Test
  void set_twice_keepsTheEarlierDeadline() throws IOException {
    assertThat(mark.isSet()).isFalse();
    assertThat(mark.deadline()).isEmpty();
    mark.set(50);
    mark.set(70);
    assertThat(mark.deadline()).hasValue(50);
    mark.set(30);
    assertThat(mark.deadline()).hasValue(30);
  }

  @Test
  void createOrLink_noInodes_isAMarkWithExpiredDeadline() throws IOException {
    InodeFallback.createOrLink(StopMarkTest::failWithoutInodes, mark.file(), expired);
    assertThat(mark.isSet()).isTrue();
    assertThat(mark.deadline()).hasValue(0);
    assertThat(Files.getAttribute(expired, "unix:nlink", LinkOption.NOFOLLOW_LINKS)).isEqualTo(2);
    assertThatThrownBy(
            () -> InodeFallback.createOrLink(StopMarkTest::failWithoutInodes, mark.file(), expired))
        .isInstanceOf(FileAlreadyExistsException.class);
  }

  @Test
  void createOrLink_otherFailure_isNotHidden() {
    InodeFallback.Creation denied =
        () -> {
          throw new AccessDeniedException("stop");
        };
    assertThatThrownBy(() -> InodeFallback.createOrLink(denied, mark.file(), expired))
        .isInstanceOf(AccessDeniedException.class);
    assertThat(mark.isSet()).isFalse();
  }

  private static void failWithoutInodes() throws IOException {
    throw new FileSystemException("stop", null, "No space left on device");
  }
}
