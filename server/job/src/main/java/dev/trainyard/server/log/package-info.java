/** Stores and reads the output of tasks, and follows output that is still growing. */
package dev.trainyard.server.log;
