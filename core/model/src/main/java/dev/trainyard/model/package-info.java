/**
 * The domain model: jobs, their states and their ends. The types are immutable values without I/O.
 */
package dev.trainyard.model;
