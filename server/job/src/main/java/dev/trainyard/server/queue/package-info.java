/**
 * Life cycle of a job from waiting to its end: planning, starting and observing tasks, and what a
 * task can access.
 */
package dev.trainyard.server.queue;
