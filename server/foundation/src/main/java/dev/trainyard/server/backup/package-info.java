/** Backup of all data of a running server into one file, and restore from it. */
package dev.trainyard.server.backup;
