/** Opaque tokens: who holds one is somebody. Kept as hashes, revoked at once. */
package dev.trainyard.server.token;
