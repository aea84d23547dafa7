package dev.trainyard.model;

/**
 * Ports that a task requests under a label.
 *
 * @param beginAt first port, or 0 for any free ports
 */
public record PortRequest(String label, int beginAt, int count) {}
