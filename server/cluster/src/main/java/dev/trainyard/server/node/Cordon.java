package dev.trainyard.server.node;

import java.time.Instant;

/**
 * An administrator's word that nothing more is to start on a machine.
 *
 * @param user who said it
 */
record Cordon(String node, String user, String reason, Instant since) {}
