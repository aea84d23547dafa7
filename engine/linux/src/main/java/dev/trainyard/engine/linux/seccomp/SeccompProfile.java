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
   * @param capabilities capabilities of the container, without the prefix {@code CAP_}
   */
  public static String json(Set<String> capabilities) {
    List<Call> calls = SystemCallTable.calls(capabilities);
    Stream<String> permittedRules =
        Stream.of(
            rule(
                calls.stream()
                    .filter(call -> call.verdict() == Verdict.PERMITTED && call.check().isEmpty())
                    .map(Call::name)
                    .toList(),
                "\"SCMP_ACT_ALLOW\""));
    Stream<String> absentRules =
        calls.stream()
            .filter(call -> call.verdict() == Verdict.ABSENT)
            .map(
                call -> rule(List.of(call.name()), errorAction(SeccompProgram.ENOSYS, "errnoRet")));
    Stream<String> argumentRules = calls.stream().flatMap(SeccompProfile::argumentRules);
    String rules =
        Stream.of(permittedRules, absentRules, argumentRules)
            .flatMap(stream -> stream)
            .collect(Collectors.joining(","));
    return "{\"defaultAction\":%s,\"archMap\":[%s,%s],\"syscalls\":[%s]}"
        .formatted(
            errorAction(SeccompProgram.EPERM, "defaultErrnoRet"),
            architecture(Abi.of(false)),
            architecture(Abi.of(true)),
            rules);
  }

  private static Stream<String> argumentRules(Call call) {
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

  /** Returns a comparison; Docker compares all 64 bits, so a nonzero upper half never matches. */
  private static String argument(ArgumentCheck check, Match match) {
    String operator =
        switch (match.operator()) {
          case LESS -> "SCMP_CMP_LT";
          case EQUAL -> "SCMP_CMP_EQ";
          case NO_BIT_OF -> "SCMP_CMP_MASKED_EQ";
        };
    // For a masked comparison the value is the mask and the second value is the result that is
    // required.
    return "{\"index\":%d,\"value\":%s,\"valueTwo\":0,\"op\":\"%s\"}"
        .formatted(check.index(), Integer.toUnsignedString(match.value()), operator);
  }

  private static String errorAction(int number, String field) {
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
