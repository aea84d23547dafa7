/** From a waiting job to its end: planning, starting, observing, and what a task gets to see. */
package dev.trainyard.server.queue;
