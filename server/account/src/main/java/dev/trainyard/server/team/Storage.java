package dev.trainyard.server.team;

/**
 * A directory that is shared by those whose groups grant it.
 *
 * @param readOnly whether tasks may only read it
 * @param usual whether jobs get it that ask for the storages everybody has
 */
public record Storage(String name, String description, boolean readOnly, boolean usual) {}
