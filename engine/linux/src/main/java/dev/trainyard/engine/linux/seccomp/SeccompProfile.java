package dev.trainyard.engine.linux.seccomp;

import dev.trainyard.engine.linux.seccomp.ArgumentCheck.Match;
import dev.trainyard.engine.linux.seccomp.SystemCallTable.Call;
import dev.trainyard.engine.linux.seccomp.SystemCallTable.Verdict;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes the filter in the JSON form that Docker and Podman read. */
public final class SeccompProfile {
  private SeccompProfile() {}

  /**
   * Returns the profile for both architectures.
   *
   * @param capabilities of the container, without the prefix {@code CAP_}
   */
  public static String json(Set<String> capabilities) {
    List<Call> calls = SystemCallTable.calls(capabilities);
    Stream<String> permitted =
        Stream.of(
            rule(
                calls.stream()
                    .filter(call -> call.verdict() == Verdict.PERMITTED && call.check().isEmpty())
                    .map(Call::name)
                    .toList(),
                "\"SCMP_ACT_ALLOW\""));
    Stream<String> absent =
        calls.stream()
            .filter(call -> call.verdict() == Verdict.ABSENT)
            .map(call -> rule(List.of(call.name()), error(SeccompProgram.ENOSYS, "errnoRet")));
    Stream<String> checked = calls.stream().flatMap(SeccompProfile::checked);
    String rules =
        Stream.of(permitted, absent, checked).flatMap(one -> one).collect(Collectors.joining(","));
    return "{\"defaultAction\":%s,\"archMap\":[%s,%s],\"syscalls\":[%s]}"
        .formatted(
            error(SeccompProgram.EPERM, "defaultErrnoRet"),
            architecture(Abi.of(false)),
            architecture(Abi.of(true)),
            rules);
  }

  private static Stream<String> checked(Call call) {
    return call.check().stream()
        .flatMap(
            check ->
                check.anyOf().stream()
                    .map(
                        match ->
                            rule(
                                List.of(call.name()),
                                "\"SCMP_ACT_ALLOW\",\"args\":[" + argument(check, match) + "]")));
  }

  /** Docker compares all 64 bits, so an upper half other than 0 never matches. */
  private static String argument(ArgumentCheck check, Match match) {
    String operator =
        switch (match.operator()) {
          case LESS -> "SCMP_CMP_LT";
          case EQUAL -> "SCMP_CMP_EQ";
          case NO_BIT_OF -> "SCMP_CMP_MASKED_EQ";
        };
    // For a masked comparison the value is the mask and the second value what must remain.
    return "{\"index\":%d,\"value\":%s,\"valueTwo\":0,\"op\":\"%s\"}"
        .formatted(check.index(), Integer.toUnsignedString(match.value()), operator);
  }

  private static String error(int number, String field) {
    return "\"SCMP_ACT_ERRNO\",\"%s\":%d".formatted(field, number);
  }

  private static String rule(List<String> names, String action) {
    return "{\"names\":[%s],\"action\":%s}".formatted(quoted(names.stream()), action);
  }

  private static String architecture(List<Abi> abis) {
    return "{\"architecture\":%s,\"subArchitectures\":[%s]}"
        .formatted(
            quoted(Stream.of(abis.getFirst().libseccompName())),
            quoted(abis.stream().skip(1).map(Abi::libseccompName)));
  }

  private static String quoted(Stream<String> names) {
    return names.map(name -> '"' + name + '"').collect(Collectors.joining(","));
  }
}
