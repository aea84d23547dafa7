/** Runs tasks as processes of this machine in Linux namespaces, for a server run as root. */
package dev.trainyard.engine.process;
