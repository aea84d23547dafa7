package dev.trainyard.server.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class PasswordsTest {
  private final Passwords passwords = new Passwords();

  @Test
  void verify_correctAndWrongPassword() {
    Optional<String> hash = Optional.of(passwords.hash("correct horse"));
    assertThat(passwords.verify("correct horse", hash)).isTrue();
    assertThat(passwords.verify("correct horsf", hash)).isFalse();
    assertThat(passwords.verify("", hash)).isFalse();
    assertThat(passwords.verify("correct horse", Optional.empty())).isFalse();
  }

  @Test
  void verify_foreignHashWithOtherParameters() {
    // From the reference implementation: argon2 somesalt -id -t 2 -m 16 -p 1
    String hash =
        "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
    assertThat(passwords.verify("password", Optional.of(hash))).isTrue();
    assertThat(passwords.verify("passwore", Optional.of(hash))).isFalse();
  }

  @Test
  void verify_invalidStoredHash() {
    assertThatThrownBy(() -> passwords.verify("x", Optional.of("plain")))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void hash_saltedAndInPhcForm() {
    String hash = passwords.hash("password");
    assertThat(hash).startsWith("$argon2id$v=19$m=19456,t=2,p=1$");
    assertThat(passwords.hash("password")).isNotEqualTo(hash);
  }

  @Test
  void problem_lengthBounds() {
    assertThat(Passwords.problem("1234567")).isPresent();
    assertThat(Passwords.problem("12345678")).isEmpty();
    assertThat(Passwords.problem("密码密码密码密码")).isEmpty();
    assertThat(Passwords.problem("\uD83D\uDE00".repeat(4))).isPresent();
    assertThat(Passwords.problem("x".repeat(1024))).isEmpty();
    assertThat(Passwords.problem("x".repeat(1025))).isPresent();
  }

  @Test
  void generate_isAcceptable() {
    assertThat(Passwords.problem(passwords.generate())).isEmpty();
    assertThat(passwords.generate()).isNotEqualTo(passwords.generate());
  }
}
