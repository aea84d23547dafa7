/**
 * Parses and checks Dockerfiles and translates them to the script of a build task. The code
 * performs no I/O.
 */
package dev.trainyard.jobfile.dockerfile;
