package dev.trainyard.server.node;

import java.time.Instant;

/**
 * Record that an administrator cordoned a node.
 *
 * @param user name of the administrator
 */
record Cordon(String node, String user, String reason, Instant since) {}
