package dev.trainyard.server.signup;

import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.user.UserService;
import java.time.Clock;

/** Signing up, invitations and requests, put together. */
public final class SignUpDesk {
  private final SignUp signUp;
  private final Invitations invitations;
  private final UserRequests requests;

  public SignUpDesk(Db db, UserService users, Clock clock) {
    this.signUp = new SignUp(db, users, clock);
    this.invitations = new Invitations(db, clock);
    this.requests = new UserRequests(db, clock);
    users.newcomersFrom(signUp);
  }

  public void addTo(Routes routes) {
    new SignUpRoutes(signUp, invitations).addTo(routes);
    new RequestRoutes(requests).addTo(routes);
  }
}
