package dev.trainyard.engine.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.linux.IdRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImageUserTest {
  private static final String PASSWD =
      "root:x:0:0::/:/bin/sh\nbroken\nann:x:1000:1007::/:/bin/sh\n";
  private static final String GROUP = "root:x:0:\nstaff:x:50:ann\n";

  @ParameterizedTest
  @CsvSource({
    "ann, 1000, 1007",
    "1000, 1000, 1007",
    "1000:staff, 1000, 50",
    "ann:8, 1000, 8",
    "2000, 2000, 0",
    "2000:2001, 2000, 2001",
    "nobody-knows, 0, 0",
    "70000:100000000, 70000, 100000000",
    "4000000000, 0, 0"
  })
  void find_followsRulesOfDocker(String user, int id, int group) {
    assertThat(ImageUsers.resolve(user, PASSWD, GROUP)).isEqualTo(new ImageUser(id, group));
  }

  @Test
  void mapping_root_imageUserIsFirstOfRange() {
    IdRange range = new IdRange(100_000);

    assertThat(ImageUser.mapping(range, 0)).isEqualTo("100000 0 65536\n");
    assertThat(ImageUser.mapping(range, 1)).isEqualTo("100000 1 1\n100001 0 1\n100002 2 65534\n");
    assertThat(ImageUser.mapping(range, 1000))
        .isEqualTo("100000 1000 1\n101000 0 1\n100001 1 999\n101001 1001 64535\n");
    assertThat(ImageUser.mapping(range, 65535))
        .isEqualTo("100000 65535 1\n165535 0 1\n100001 1 65534\n");
    assertThat(ImageUser.mapping(range, 65536)).isEqualTo("100000 65536 1\n100001 1 65535\n");
  }

  /**
   * For a server that is not root, the image's user is the server's account, and the rest is the
   * user's range.
   */
  @Test
  void mapping_ordinaryUser_imageUserIsServerAccount() {
    IdRange range = new IdRange(100_000);

    assertThat(ImageUser.mapping(range, 0, 999)).isEqualTo("999 0 1\n100001 1 65535\n");
    assertThat(ImageUser.mapping(range, 1000, 999))
        .isEqualTo("999 1000 1\n101000 0 1\n100001 1 999\n101001 1001 64535\n");
  }
}
