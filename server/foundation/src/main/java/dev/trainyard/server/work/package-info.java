/** Runs expensive work on a few threads, which are shared fairly among users. */
package dev.trainyard.server.work;
