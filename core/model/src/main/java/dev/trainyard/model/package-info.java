/** The domain: what a job is, which states it passes, how it ends. Pure values, no I/O. */
package dev.trainyard.model;
