/** Job-file formats: each becomes a JobSpec, or a list of all that is wrong with it. */
package dev.trainyard.jobfile;
