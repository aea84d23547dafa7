/** What happened to jobs: stored with the change itself, listed, and told while it happens. */
package dev.trainyard.server.event;
