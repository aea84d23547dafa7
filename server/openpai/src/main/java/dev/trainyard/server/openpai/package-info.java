/**
 * The REST API of OpenPAI for its clients: an adapter of the platform's services without rules of
 * its own.
 */
package dev.trainyard.server.openpai;
