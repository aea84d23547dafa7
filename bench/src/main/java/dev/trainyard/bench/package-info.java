/** Figures, each against a baseline of the same run where the machine matters. */
package dev.trainyard.bench;
