package dev.trainyard.server.team;

/** ID and name of a user, as needed by the rules for groups. */
record TeamUser(String id, String name) {}
