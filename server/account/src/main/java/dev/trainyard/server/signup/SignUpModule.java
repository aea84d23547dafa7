package dev.trainyard.server.signup;

import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.team.TeamService;
import dev.trainyard.server.user.UserService;
import java.time.Clock;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/** Creates the services and routes for sign-up, invitations and requests of users. */
public final class SignUpModule {
  private final SignUp signUp;
  private final InvitationService invitations;
  private final UserRequests requests;

  public SignUpModule(Db db, UserService users, TeamService teams, Clock clock) {
    this.signUp = new SignUp(db, users, clock);
    this.invitations = new InvitationService(db, clock);
    this.requests = new UserRequests(db, teams, clock);
    users.setPendingSignUps(signUp);
  }

  /** Returns the sign-up settings that are visible without signing in. */
  public Map<String, Object> publicSettings() {
    return signUp.settings().view();
  }

  /** Returns the number of undecided requests of users. */
  public static int countOpenRequests(Handle handle) {
    return UserRequestStore.countOpen(handle);
  }

  /** Returns the number of undecided sign-ups. */
  public static int countPendingSignUps(Handle handle) {
    return ApplicantStore.countPending(handle);
  }

  public void addTo(Routes routes) {
    new SignUpRoutes(signUp, invitations).addTo(routes);
    new RequestRoutes(requests).addTo(routes);
  }
}
