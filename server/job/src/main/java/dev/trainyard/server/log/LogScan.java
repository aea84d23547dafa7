package dev.trainyard.server.log;

import dev.trainyard.server.http.Reply;

/**
 * Receives a log in chunks. Between two chunks it waits for a thread together with other scans, so
 * it should need little memory then.
 */
interface LogScan extends Reply.Sink {
  /** Called after each chunk, including the last one. */
  void endChunk();
}
