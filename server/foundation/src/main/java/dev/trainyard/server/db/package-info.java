/** The one way to the database, and the two databases behind it. */
package dev.trainyard.server.db;
