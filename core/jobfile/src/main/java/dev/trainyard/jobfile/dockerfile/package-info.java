/** Dockerfiles: read, checked, and turned into what a build's task does. Pure. */
package dev.trainyard.jobfile.dockerfile;
