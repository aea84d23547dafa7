/** The nodes and their use. */
package dev.trainyard.server.node;
