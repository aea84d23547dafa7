/** Stores jobs, and contains the rules for submitting, viewing, stopping and deleting jobs. */
package dev.trainyard.server.job;
