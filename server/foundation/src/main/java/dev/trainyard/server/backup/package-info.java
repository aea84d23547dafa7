/** Writing everything a server knows into one file while it runs, and starting anew from that. */
package dev.trainyard.server.backup;
