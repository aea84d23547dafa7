/** Secrets of jobs: sealed before they are stored, opened only to be handed to a task. */
package dev.trainyard.server.secret;
