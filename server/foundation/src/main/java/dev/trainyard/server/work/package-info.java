/** Runs expensive work on a few threads, with a share for each user. */
package dev.trainyard.server.work;
