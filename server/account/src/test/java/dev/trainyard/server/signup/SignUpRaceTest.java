package dev.trainyard.server.signup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.fixture.MutableClock;
import dev.trainyard.server.token.TokenService;
import dev.trainyard.server.user.Passwords;
import dev.trainyard.server.user.Profile;
import dev.trainyard.server.user.UnfinishedJobs;
import dev.trainyard.server.user.UserService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

@EveryDatabase
class SignUpRaceTest {
  private final MutableClock clock = new MutableClock();
  private final UserService users;
  private final SignUp signUp;
  private final InvitationService invitations;

  SignUpRaceTest(Db db) {
    TokenService tokens = new TokenService(db, clock, Duration.ofDays(7));
    users = new UserService(db, tokens, new Passwords(64, 1), UnfinishedJobs.NONE, clock);
    signUp = new SignUp(db, users, clock);
    invitations = new InvitationService(db, clock);
  }

  private long countSuccesses(int userCount, String code, boolean sameName) throws Exception {
    List<Future<Boolean>> tries = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < userCount; i++) {
        String name = sameName ? "bob" : "user" + i;
        String address = "10.0.0." + i;
        SignUp.Form form =
            new SignUp.Form(name, "a-password", Profile.EMPTY, Optional.of(code), "");
        tries.add(threads.submit(() -> signUp.signUp(form, address)));
      }
    }
    return tries.stream().filter(one -> one.state() == Future.State.SUCCESS).count();
  }

  @Test
  void signUp_concurrentWithTheLastUse_oneSucceeds() throws Exception {
    signUp.change(Actor.SYSTEM, new SignUpSettings(SignUpMode.CODE, "", ""));
    String code = invitations.create(Actor.SYSTEM, "", List.of(), 1, Optional.empty()).code();
    assertThat(countSuccesses(8, code, false)).isEqualTo(1);
    assertThat(users.list()).hasSize(1);
    assertThat(invitations.list().getFirst().usesLeft()).isZero();
  }

  @Test
  void signUp_concurrentWithTheSameName_oneSucceedsAndOneUseIsConsumed() throws Exception {
    signUp.change(Actor.SYSTEM, new SignUpSettings(SignUpMode.CODE, "", ""));
    String code = invitations.create(Actor.SYSTEM, "", List.of(), 8, Optional.empty()).code();
    assertThat(countSuccesses(8, code, true)).isEqualTo(1);
    assertThat(invitations.list().getFirst().usesLeft()).isEqualTo(7);
  }
}
