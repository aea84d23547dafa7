/** Jobs: their storage, and the rules for submitting, viewing, stopping and deleting them. */
package dev.trainyard.server.job;
