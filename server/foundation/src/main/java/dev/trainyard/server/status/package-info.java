/** The status of the server: an overview for administrators, and warnings. */
package dev.trainyard.server.status;
