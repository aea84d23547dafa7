package dev.trainyard.model;

/**
 * What one task needs.
 *
 * @param deviceType a card's model as people write it ("a100", "ascend910"); empty for any
 */
public record TaskResources(
    int cpus, DataSize memory, DataSize sharedMemory, int devices, String deviceType) {}
