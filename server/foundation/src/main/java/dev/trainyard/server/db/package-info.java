/** Access to the database, with implementations for SQLite and PostgreSQL. */
package dev.trainyard.server.db;
