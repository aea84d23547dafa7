/** Opaque bearer tokens. They are stored as hashes and revoked immediately. */
package dev.trainyard.server.token;
