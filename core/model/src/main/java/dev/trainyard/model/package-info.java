/** The domain model: jobs, their states and their ends. Pure values, no I/O. */
package dev.trainyard.model;
