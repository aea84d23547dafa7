/** Resource usage by user and virtual cluster. */
package dev.trainyard.server.usage;
