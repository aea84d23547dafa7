/** Files that belong to users: listed, read and packed without ever leaving their root. */
package dev.trainyard.server.file;
