package dev.trainyard.server.storage;

/**
 * The user on whose behalf a storage is used.
 *
 * @param idRange number of the user's ID range, whose host IDs own the files of the user's tasks
 */
public record StorageUser(String name, int idRange) {}
