/** Commands that users run in running tasks, over a WebSocket. */
package dev.trainyard.server.exec;
