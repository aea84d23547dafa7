/** The machines and who uses them. */
package dev.trainyard.server.node;
