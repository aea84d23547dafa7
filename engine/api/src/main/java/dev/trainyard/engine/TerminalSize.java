package dev.trainyard.engine;

/** A terminal's width and height in characters. */
public record TerminalSize(int columns, int rows) {}
