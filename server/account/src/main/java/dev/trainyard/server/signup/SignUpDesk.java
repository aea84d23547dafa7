package dev.trainyard.server.signup;

import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.team.Teams;
import dev.trainyard.server.user.UserService;
import java.time.Clock;
import java.util.Map;

/** Signing up, invitations and requests, put together. */
public final class SignUpDesk {
  private final SignUp signUp;
  private final Invitations invitations;
  private final UserRequests requests;

  public SignUpDesk(Db db, UserService users, Teams teams, Clock clock) {
    this.signUp = new SignUp(db, users, clock);
    this.invitations = new Invitations(db, clock);
    this.requests = new UserRequests(db, teams, clock);
    users.newcomersFrom(signUp);
  }

  /** How people become users, for everybody to see. */
  public Map<String, Object> welcome() {
    return signUp.settings().view();
  }

  public void addTo(Routes routes) {
    new SignUpRoutes(signUp, invitations).addTo(routes);
    new RequestRoutes(requests).addTo(routes);
  }
}
