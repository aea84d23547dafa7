/** Job-file formats: each file becomes a JobSpec, or a list of all its problems. */
package dev.trainyard.jobfile;
