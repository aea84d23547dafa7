/** The status of the server: an overview and warnings for administrators, and health checks. */
package dev.trainyard.server.status;
