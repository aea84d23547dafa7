/**
 * Scheduling decisions: which jobs run on which nodes, and why others wait. Pure planning on
 * immutable values.
 */
package dev.trainyard.scheduler;
