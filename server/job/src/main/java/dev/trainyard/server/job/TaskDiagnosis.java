package dev.trainyard.server.job;

import dev.trainyard.model.diagnosis.Diagnosis;

/** Diagnosis of the task that caused an attempt to fail. */
public record TaskDiagnosis(String role, int index, Diagnosis diagnosis) {}
