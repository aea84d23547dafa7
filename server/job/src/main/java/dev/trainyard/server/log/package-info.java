/** The output of tasks: its storage, reading it, and following it while it grows. */
package dev.trainyard.server.log;
