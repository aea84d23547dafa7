package dev.trainyard.server.team;

/**
 * A shared directory, available to users whose groups grant it.
 *
 * @param readOnly whether tasks can only read the directory
 * @param isDefault whether this is a default storage, which is mounted in jobs that request the
 *     default storages
 */
public record Storage(String name, String description, boolean readOnly, boolean isDefault) {}
