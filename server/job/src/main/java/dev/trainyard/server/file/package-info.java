/** Files of users: listing, reading and archiving them without ever leaving their root. */
package dev.trainyard.server.file;
