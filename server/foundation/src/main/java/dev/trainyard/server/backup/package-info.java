/** Backup of the data of a running server into one file, and restore from such a file. */
package dev.trainyard.server.backup;
