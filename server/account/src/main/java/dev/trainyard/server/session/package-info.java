/** Signing in and out. */
package dev.trainyard.server.session;
