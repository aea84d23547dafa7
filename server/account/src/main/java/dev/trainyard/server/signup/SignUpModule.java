package dev.trainyard.server.signup;

import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.team.TeamService;
import dev.trainyard.server.user.UserService;
import java.time.Clock;
import java.util.Map;

/** Signing up, invitations and requests, put together. */
public final class SignUpModule {
  private final SignUp signUp;
  private final InvitationService invitationService;
  private final UserRequests requests;

  public SignUpModule(Db db, UserService users, TeamService teamService, Clock clock) {
    this.signUp = new SignUp(db, users, clock);
    this.invitationService = new InvitationService(db, clock);
    this.requests = new UserRequests(db, teamService, clock);
    users.newcomersFrom(signUp);
  }

  /** How people become users, for everybody to see. */
  public Map<String, Object> welcome() {
    return signUp.settings().view();
  }

  public void addTo(Routes routes) {
    new SignUpRoutes(signUp, invitationService).addTo(routes);
    new RequestRoutes(requests).addTo(routes);
  }
}
