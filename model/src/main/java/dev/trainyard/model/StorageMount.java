package dev.trainyard.model;

/**
 * A storage a job wants to see.
 *
 * @param mountPath where in its tasks
 */
public record StorageMount(String name, String mountPath) {}
