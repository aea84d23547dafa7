/** Nodes, their usage and their cordons. */
package dev.trainyard.server.node;
