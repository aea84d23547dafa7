/**
 * Secrets of jobs, which are encrypted before they are stored and decrypted only for the tasks of
 * the job.
 */
package dev.trainyard.server.secret;
