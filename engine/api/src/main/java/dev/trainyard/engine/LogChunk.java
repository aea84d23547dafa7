package dev.trainyard.engine;

import java.nio.ByteBuffer;

/**
 * Some bytes that a task has printed.
 *
 * @param bytes may be none, if there is nothing new yet
 * @param next where to read on; only the engine knows what it means
 * @param last whether nothing can follow
 */
public record LogChunk(ByteBuffer bytes, String next, boolean last) {}
