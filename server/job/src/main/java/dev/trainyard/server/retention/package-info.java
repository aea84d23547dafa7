/** Retention of finished jobs and their logs. */
package dev.trainyard.server.retention;
