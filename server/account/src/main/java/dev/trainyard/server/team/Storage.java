package dev.trainyard.server.team;

/**
 * A shared directory, available to users whose groups grant it.
 *
 * @param readOnly whether tasks can only read it
 * @param usual whether it is a default storage, which jobs get if they request the default storages
 */
public record Storage(String name, String description, boolean readOnly, boolean usual) {}
