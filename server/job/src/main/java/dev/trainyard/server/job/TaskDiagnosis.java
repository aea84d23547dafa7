package dev.trainyard.server.job;

import dev.trainyard.model.diagnosis.Diagnosis;

/** What is believed about the end of the task that made an attempt fail. */
public record TaskDiagnosis(String role, int index, Diagnosis diagnosis) {}
