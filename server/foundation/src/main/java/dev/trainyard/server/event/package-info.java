/** Events of jobs: stored together with the change itself, listed, and streamed as they occur. */
package dev.trainyard.server.event;
