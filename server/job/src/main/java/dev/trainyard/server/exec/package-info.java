/** Runs commands of users in running tasks, over a WebSocket. */
package dev.trainyard.server.exec;
