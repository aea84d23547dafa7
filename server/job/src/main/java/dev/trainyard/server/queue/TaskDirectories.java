package dev.trainyard.server.queue;

import dev.trainyard.jobfile.DirectoryVariables;
import dev.trainyard.model.JobSpec;
import dev.trainyard.server.job.Job;

/** The directories that a job file names, with their variables substituted. */
record TaskDirectories(String data, String output, String code) {
  static TaskDirectories of(Job job, JobSpec spec) {
    return new TaskDirectories(
        substituteVariables(spec.dataDir(), job),
        substituteVariables(spec.outputDir(), job),
        substituteVariables(spec.codeDir(), job));
  }

  private static String substituteVariables(String path, Job job) {
    return DirectoryVariables.substitute(path, job.name(), job.userName());
  }
}
