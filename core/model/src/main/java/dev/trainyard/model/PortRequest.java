package dev.trainyard.model;

/**
 * Ports a task wants under a label.
 *
 * @param beginAt first port, or 0 for free ones
 */
public record PortRequest(String label, int beginAt, int count) {}
