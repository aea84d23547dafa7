/** Secrets of jobs: encrypted before they are stored, decrypted only for the tasks of the job. */
package dev.trainyard.server.secret;
