/** The people, their names and passwords. */
package dev.trainyard.server.user;
