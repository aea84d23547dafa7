/** The HTTP server: everything between a socket and an {@link Endpoint}. */
package dev.trainyard.server.http;
