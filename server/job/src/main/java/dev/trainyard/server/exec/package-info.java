/** Commands that people run inside of running tasks, over a WebSocket. */
package dev.trainyard.server.exec;
