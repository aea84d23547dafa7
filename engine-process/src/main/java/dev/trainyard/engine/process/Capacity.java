package dev.trainyard.engine.process;

/** Placeholder. */
public record Capacity() {}
