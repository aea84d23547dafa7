package dev.trainyard.model;

/**
 * The resources that one task needs.
 *
 * @param deviceType device model as users write it ("a100", "ascend910"); empty for any
 */
public record TaskResources(
    int cpus, DataSize memory, DataSize sharedMemory, int devices, String deviceType) {}
