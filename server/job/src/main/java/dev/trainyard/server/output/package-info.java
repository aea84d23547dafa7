/** The saved output of jobs: list, download and archive. */
package dev.trainyard.server.output;
