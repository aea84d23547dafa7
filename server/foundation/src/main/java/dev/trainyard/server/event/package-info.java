/**
 * Job events. Each event is stored in the same transaction as the change that it reports; clients
 * can list events or receive them as a stream.
 */
package dev.trainyard.server.event;
