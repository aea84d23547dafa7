/** Who used how much of the machines. */
package dev.trainyard.server.usage;
