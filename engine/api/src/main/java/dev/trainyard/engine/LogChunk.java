package dev.trainyard.engine;

import java.nio.ByteBuffer;

/**
 * A part of a task's output.
 *
 * @param bytes empty if no new output is available yet
 * @param next cursor for the next chunk; opaque to the caller
 * @param last whether no more output can follow
 */
public record LogChunk(ByteBuffer bytes, String next, boolean last) {}
