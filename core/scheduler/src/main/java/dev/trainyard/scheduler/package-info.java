/**
 * Scheduling decisions: which jobs run on which nodes, and why other jobs wait. The code performs
 * no I/O.
 */
package dev.trainyard.scheduler;
