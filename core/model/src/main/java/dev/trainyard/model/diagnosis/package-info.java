/**
 * Diagnosis of the ends of tasks: the meaning of each end, its presumed cause, and the recommended
 * action.
 */
package dev.trainyard.model.diagnosis;
