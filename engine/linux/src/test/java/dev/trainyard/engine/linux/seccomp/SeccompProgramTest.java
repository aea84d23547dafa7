package dev.trainyard.engine.linux.seccomp;

import static dev.trainyard.engine.linux.seccomp.SeccompProgram.ALLOW;
import static dev.trainyard.engine.linux.seccomp.SeccompProgram.FAIL_WITH_ERRNO;
import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.linux.SystemCall;
import dev.trainyard.engine.linux.seccomp.SystemCallTable.Call;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Interprets the generated programs for every number of every ABI. */
class SeccompProgramTest {
  private static final int EPERM = FAIL_WITH_ERRNO | 1;
  private static final int ENOSYS = FAIL_WITH_ERRNO | 38;
  private static final Set<String> ALL_CAPABILITIES =
      Set.of(
          "BPF",
          "DAC_READ_SEARCH",
          "PERFMON",
          "SYSLOG",
          "SYS_ADMIN",
          "SYS_BOOT",
          "SYS_CHROOT",
          "SYS_MODULE",
          "SYS_NICE",
          "SYS_PACCT",
          "SYS_PTRACE",
          "SYS_RAWIO",
          "SYS_TIME",
          "SYS_TTY_CONFIG");

  private static final BpfInterpreter AMD64_PROGRAM = program(Set.of(), false);
  private static final BpfInterpreter ARM64_PROGRAM = program(Set.of(), true);

  /** Every call of the table, whatever its condition. */
  private static final Map<String, Call> CALLS =
      SystemCallTable.calls(ALL_CAPABILITIES).stream()
          .collect(Collectors.toMap(Call::name, Function.identity()));

  private static BpfInterpreter program(Set<String> capabilities, boolean arm) {
    return new BpfInterpreter(SeccompProgram.of(capabilities, arm));
  }

  private static BpfInterpreter program(Abi abi) {
    return Abi.of(true).contains(abi) ? ARM64_PROGRAM : AMD64_PROGRAM;
  }

  private static int run(Abi abi, String call, long... arguments) {
    int number = CALLS.get(call).numbers().get(abi);
    return program(abi).run(abi.auditValue(), abi.rawNumber(number), arguments);
  }

  /** All arguments are 0, which every argument check permits. */
  @ParameterizedTest
  @EnumSource(Abi.class)
  void program_everyNumber(Abi abi) {
    Map<Integer, Integer> expected = new HashMap<>();
    for (Call call : SystemCallTable.calls(Set.of())) {
      if (call.numbers().containsKey(abi)) {
        expected.put(call.numbers().get(abi), call.name().equals("clone3") ? ENOSYS : ALLOW);
      }
    }
    assertThat(expected.size()).isGreaterThan(250);
    IntStream numbers =
        IntStream.concat(IntStream.rangeClosed(0, 70_000), IntStream.rangeClosed(0xEFFF0, 0xF0010));
    assertThat(
            numbers.filter(
                number -> {
                  boolean known =
                      number <= 466 || (abi == Abi.X32 && number >= 512 && number <= 547);
                  int expectedResult = expected.getOrDefault(number, known ? EPERM : ENOSYS);
                  return program(abi).run(abi.auditValue(), abi.rawNumber(number), 0)
                      != expectedResult;
                }))
        .as("numbers with a wrong verdict")
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      ints = {0x3FFFFFFF, 0x40000000 + 467, 0x40000000 + 548, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF})
  void program_numbersThatNoKernelHas(int number) {
    assertThat(AMD64_PROGRAM.run(Abi.X86_64.auditValue(), number)).isEqualTo(ENOSYS);
    assertThat(ARM64_PROGRAM.run(Abi.AARCH64.auditValue(), number)).isEqualTo(ENOSYS);
  }

  /** 0x80000015 is 64-bit PowerPC; the others belong to the other architecture. */
  @Test
  void program_foreignArchitectureIsKilled() {
    assertThat(AMD64_PROGRAM.run(0x80000015, 0)).isEqualTo(SeccompProgram.KILL_PROCESS);
    assertThat(AMD64_PROGRAM.run(Abi.AARCH64.auditValue(), 0))
        .isEqualTo(SeccompProgram.KILL_PROCESS);
    assertThat(ARM64_PROGRAM.run(Abi.X86_64.auditValue(), 0))
        .isEqualTo(SeccompProgram.KILL_PROCESS);
    assertThat(ARM64_PROGRAM.run(Abi.X86.auditValue(), 0)).isEqualTo(SeccompProgram.KILL_PROCESS);
  }

  /** Calls that Docker's profile rejects without capabilities, by their numbers in the kernel. */
  @ParameterizedTest
  @CsvSource({
    "io_uring_setup, 425, 425, 425, 425",
    "io_uring_enter, 426, 426, 426, 426",
    "io_uring_register, 427, 427, 427, 427",
    "userfaultfd, 323, 374, 282, 388",
    "keyctl, 250, 288, 219, 311",
    "add_key, 248, 286, 217, 309",
    "request_key, 249, 287, 218, 310",
    "bpf, 321, 357, 280, 386",
    "perf_event_open, 298, 336, 241, 364",
    "mount, 165, 21, 40, 21",
    "umount2, 166, 52, 39, 52",
    "pivot_root, 155, 217, 41, 218",
    "unshare, 272, 310, 97, 337",
    "setns, 308, 346, 268, 375",
    "chroot, 161, 61, 51, 61",
    "kexec_load, 246, 283, 104, 347",
    "init_module, 175, 128, 105, 128",
    "open_by_handle_at, 304, 342, 265, 371",
    "swapon, 167, 87, 224, 87",
    "move_pages, 279, 317, 239, 344",
    "kcmp, 312, 349, 272, 378",
    "open_tree, 428, 428, 428, 428",
  })
  void program_rejectedCalls(String name, int amd64, int x86, int arm64, int arm) {
    assertThat(AMD64_PROGRAM.run(Abi.X86_64.auditValue(), amd64)).as(name).isEqualTo(EPERM);
    assertThat(AMD64_PROGRAM.run(Abi.X86.auditValue(), x86)).as(name).isEqualTo(EPERM);
    assertThat(ARM64_PROGRAM.run(Abi.AARCH64.auditValue(), arm64)).as(name).isEqualTo(EPERM);
    assertThat(ARM64_PROGRAM.run(Abi.ARM.auditValue(), arm)).as(name).isEqualTo(EPERM);
  }

  @ParameterizedTest
  @EnumSource(Abi.class)
  void clone_onlyWithoutNamespaces(Abi abi) {
    long thread = 0x3D0F00;
    assertThat(run(abi, "clone", thread)).isEqualTo(ALLOW);
    assertThat(run(abi, "clone", 0x11)).isEqualTo(ALLOW);
    for (int bit : List.of(17, 25, 26, 27, 28, 29, 30)) {
      assertThat(run(abi, "clone", 1L << bit)).as("bit %s", bit).isEqualTo(EPERM);
      assertThat(run(abi, "clone", thread | 1L << bit | 1L << 40)).isEqualTo(EPERM);
    }
    assertThat(run(abi, "clone3", 0)).isEqualTo(ENOSYS);
  }

  /** The kernel ignores the upper half of the address family, so the filter must as well. */
  @ParameterizedTest
  @EnumSource(Abi.class)
  void socket_cryptographyAndVirtualMachines_rejected(Abi abi) {
    for (int family = 0; family < 64; family++) {
      boolean permitted = family <= 45 && family != 38 && family != 40;
      assertThat(run(abi, "socket", family))
          .as("family %s", family)
          .isEqualTo(permitted ? ALLOW : EPERM);
    }
    assertThat(run(abi, "socket", 1L << 32 | 38)).isEqualTo(EPERM);
    assertThat(run(abi, "socket", 1L << 32 | 40)).isEqualTo(EPERM);
    assertThat(run(abi, "socket", -1)).isEqualTo(EPERM);
  }

  @ParameterizedTest
  @EnumSource(Abi.class)
  void personality_fiveValues(Abi abi) {
    for (long value : new long[] {0, 8, 0x20000, 0x20008, 0xFFFFFFFFL}) {
      assertThat(run(abi, "personality", value)).isEqualTo(ALLOW);
    }
    // ADDR_NO_RANDOMIZE, READ_IMPLIES_EXEC, and neighbors of the permitted values
    for (long value : new long[] {0x40000, 0x400000, 1, 7, 9, 0x20001, 0x20009, 0xFFFFFFFEL}) {
      assertThat(run(abi, "personality", value)).isEqualTo(EPERM);
    }
  }

  /** Any one capability of the condition is enough, and permits nothing else. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void capability_permitsItsCalls(boolean arm) {
    Set<String> callsWithoutCapabilities = permittedCalls(Set.of(), arm);
    Map<String, Set<String>> expected =
        Map.of(
            "SYS_CHROOT", Set.of("chroot"),
            "SYS_NICE",
                Set.of("get_mempolicy", "mbind", "set_mempolicy", "set_mempolicy_home_node"),
            "SYS_PTRACE", Set.of("kcmp", "pidfd_getfd", "process_madvise"),
            "DAC_READ_SEARCH", Set.of("open_by_handle_at"),
            "BPF", Set.of("bpf"),
            "PERFMON", Set.of("perf_event_open"),
            "SYSLOG", Set.of("syslog"),
            "IPC_LOCK", Set.of());
    expected.forEach(
        (capability, calls) -> {
          Set<String> additionalCalls = permittedCalls(Set.of(capability), arm);
          additionalCalls.removeAll(callsWithoutCapabilities);
          assertThat(additionalCalls).as(capability).isEqualTo(calls);
        });
    assertThat(permittedCalls(Set.of("SYS_ADMIN"), arm))
        .contains("mount", "unshare", "clone3", "bpf");
    assertThat(permittedCalls(Set.of("SYS_ADMIN"), arm)).doesNotContain("chroot", "reboot");
  }

  private static Set<String> permittedCalls(Set<String> capabilities, boolean arm) {
    BpfInterpreter program = program(capabilities, arm);
    Abi abi = Abi.of(arm).getFirst();
    return CALLS.values().stream()
        .filter(call -> call.numbers().containsKey(abi))
        .filter(call -> program.run(abi.auditValue(), call.numbers().get(abi), 0) == ALLOW)
        .map(Call::name)
        .collect(Collectors.toSet());
  }

  @Test
  void clone_administratorCreatesNamespaces() {
    int newUser = 0x10000000;
    int number = CALLS.get("clone").numbers().get(Abi.X86_64);
    assertThat(program(Set.of("SYS_ADMIN"), false).run(Abi.X86_64.auditValue(), number, newUser))
        .isEqualTo(ALLOW);
  }

  /** The kernel runs it for each call that it has no cached verdict for. */
  @ParameterizedTest
  @EnumSource(Abi.class)
  void program_isShort(Abi abi) {
    assertThat(program(abi).length()).isLessThan(800);
    for (int number = 0; number <= 600; number++) {
      program(abi).run(abi.auditValue(), abi.rawNumber(number), 0);
      assertThat(program(abi).steps()).isLessThan(24);
    }
  }

  @Test
  void table_agreesWithTheServersOwnCalls() {
    Map<String, Call> calls = new HashMap<>(CALLS);
    long compared =
        Stream.of(SystemCall.values())
            .filter(systemCall -> calls.containsKey(systemCall.name().toLowerCase(Locale.ROOT)))
            .peek(
                systemCall ->
                    assertThat(
                            calls
                                .get(systemCall.name().toLowerCase(Locale.ROOT))
                                .numbers()
                                .get(SystemCall.ARM ? Abi.AARCH64 : Abi.X86_64))
                        .as("%s", systemCall)
                        .isEqualTo(systemCall.number()))
            .count();
    assertThat(compared).isGreaterThan(30);
  }

  @Test
  void table_everyNumberOnce() {
    for (Abi abi : Abi.values()) {
      assertThat(
              CALLS.values().stream().map(call -> call.numbers().get(abi)).filter(n -> n != null))
          .as("%s", abi)
          .doesNotHaveDuplicates();
    }
  }
}
