/** Runs each task in a container of a Docker engine on this host. */
package dev.trainyard.engine.docker;
