/** Parses and checks Dockerfiles and translates them to the script of a build task. Pure. */
package dev.trainyard.jobfile.dockerfile;
