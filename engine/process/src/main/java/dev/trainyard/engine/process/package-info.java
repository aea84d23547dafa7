/** Runs tasks as host processes in Linux namespaces. */
package dev.trainyard.engine.process;
