/**
 * The HTTP server: parsing, access, limits and responses, between the socket and an {@link
 * Endpoint}.
 */
package dev.trainyard.server.http;
