/** Diagnosis of ends: what each means, its cause, and the recommended action. */
package dev.trainyard.model.diagnosis;
