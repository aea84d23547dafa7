package dev.trainyard.server;

import dev.trainyard.server.config.DataDirectory;
import dev.trainyard.server.config.Settings;
import dev.trainyard.server.config.UserFiles;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.metric.Metrics;
import dev.trainyard.server.oidc.Oidc;
import dev.trainyard.server.status.DiskWatch;
import dev.trainyard.server.status.StatusRegistry;
import dev.trainyard.server.team.TeamService;
import dev.trainyard.server.token.TokenService;
import dev.trainyard.server.user.User;
import dev.trainyard.server.user.UserService;
import java.time.Clock;
import java.util.function.Consumer;

/**
 * Services that every feature may use.
 *
 * @param passwordChanged called after a user's password was changed
 */
public record CoreServices(
    Settings settings,
    DataDirectory directory,
    UserFiles userFiles,
    Db db,
    Clock clock,
    UserService users,
    TokenService tokens,
    TeamService teams,
    Oidc oidc,
    Metrics metrics,
    StatusRegistry status,
    DiskWatch disks,
    Consumer<User> passwordChanged) {}
