/**
 * The REST API of OpenPAI for its clients: an adapter to the platform's services that has no
 * business rules of its own.
 */
package dev.trainyard.server.openpai;
