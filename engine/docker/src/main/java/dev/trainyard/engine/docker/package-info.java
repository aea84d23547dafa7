/** Runs each task in a container of a Docker engine on this machine. */
package dev.trainyard.engine.docker;
