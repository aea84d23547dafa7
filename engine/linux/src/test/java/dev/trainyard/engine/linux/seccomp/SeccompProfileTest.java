package dev.trainyard.engine.linux.seccomp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.trainyard.engine.linux.seccomp.SystemCallTable.Call;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SeccompProfileTest {
  private static JsonNode profile(String... capabilities) throws IOException {
    return new ObjectMapper().readTree(SeccompProfile.json(Set.of(capabilities)));
  }

  private static List<JsonNode> rules(JsonNode profile, String call) {
    List<JsonNode> rules = new ArrayList<>();
    for (JsonNode rule : profile.get("syscalls")) {
      rule.get("names")
          .forEach(
              name -> {
                if (name.asText().equals(call)) {
                  rules.add(rule);
                }
              });
    }
    return rules;
  }

  @Test
  void json_hasEveryCallOfTheTable() throws IOException {
    JsonNode profile = profile();

    assertThat(profile.get("defaultAction").asText()).isEqualTo("SCMP_ACT_ERRNO");
    assertThat(profile.get("defaultErrnoRet").asInt()).isEqualTo(1);
    for (Call call : SystemCallTable.calls(Set.of())) {
      assertThat(rules(profile, call.name())).as(call.name()).isNotEmpty();
    }
    for (String rejectedCall :
        List.of("io_uring_setup", "userfaultfd", "mount", "keyctl", "unshare")) {
      assertThat(rules(profile, rejectedCall)).as(rejectedCall).isEmpty();
    }
    assertThat(profile.at("/archMap/0/architecture").asText()).isEqualTo("SCMP_ARCH_X86_64");
    assertThat(profile.at("/archMap/0/subArchitectures").toString())
        .isEqualTo("[\"SCMP_ARCH_X32\",\"SCMP_ARCH_X86\"]");
    assertThat(profile.at("/archMap/1/subArchitectures").toString())
        .isEqualTo("[\"SCMP_ARCH_ARM\"]");
  }

  @Test
  void json_checksArguments() throws IOException {
    JsonNode profile = profile();

    JsonNode clone = rules(profile, "clone").getFirst().at("/args/0");
    assertThat(clone.get("op").asText()).isEqualTo("SCMP_CMP_MASKED_EQ");
    assertThat(clone.get("value").asLong()).isEqualTo(0x7E020000);
    assertThat(clone.get("valueTwo").asLong()).isZero();
    assertThat(rules(profile, "clone3").getFirst().get("errnoRet").asInt()).isEqualTo(38);
    assertThat(rules(profile, "personality"))
        .extracting(rule -> rule.at("/args/0/value").asLong())
        .containsExactly(0L, 8L, 0x20000L, 0x20008L, 0xFFFFFFFFL);
    assertThat(rules(profile, "socket").getFirst().at("/args/0/op").asText())
        .isEqualTo("SCMP_CMP_LT");
  }

  @Test
  void json_followsCapabilities() throws IOException {
    assertThat(rules(profile("SYS_CHROOT"), "chroot")).hasSize(1);
    JsonNode administrator = profile("SYS_ADMIN");
    assertThat(rules(administrator, "clone").getFirst().has("args")).isFalse();
    assertThat(rules(administrator, "clone3").getFirst().get("action").asText())
        .isEqualTo("SCMP_ACT_ALLOW");
  }
}
