/** Nodes, node usage and cordons. */
package dev.trainyard.server.node;
