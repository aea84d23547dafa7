package dev.trainyard.server.log;

import dev.trainyard.server.http.Reply;

/**
 * Receives a log in chunks. Many scans may wait for a thread between two chunks, so implementations
 * should need little memory while they wait.
 */
interface LogScan extends Reply.Sink {
  /** Called after each chunk, including the last one. */
  void endChunk();
}
