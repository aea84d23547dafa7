package dev.trainyard.server.queue;

import dev.trainyard.jobfile.DirectoryVariables;
import dev.trainyard.model.JobFormat;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.TaskPath;
import dev.trainyard.server.job.Job;

/**
 * The directories that a job file names, with the variables in their paths substituted. Every job
 * has an output directory.
 */
record TaskDirectories(String data, String output, String code) {
  static TaskDirectories of(Job job, JobSpec spec) {
    return new TaskDirectories(
        substituteVariables(spec.dataDir(), job, spec),
        spec.outputDir().isEmpty()
            ? TaskPath.DEFAULT_OUTPUT
            : substituteVariables(spec.outputDir(), job, spec),
        substituteVariables(spec.codeDir(), job, spec));
  }

  /** Substitutes each variable with the value that it has in the task. */
  private static String substituteVariables(String path, Job job, JobSpec spec) {
    String jobName =
        spec.format() == JobFormat.OPENPAI_V2 ? new FrameworkVariables(job).jobName() : job.name();
    return DirectoryVariables.substitute(path, jobName, job.userName());
  }
}
