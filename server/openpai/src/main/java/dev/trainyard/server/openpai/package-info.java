/**
 * The REST API of OpenPAI, for its clients: another face of our own services, with no rules of its
 * own.
 */
package dev.trainyard.server.openpai;
