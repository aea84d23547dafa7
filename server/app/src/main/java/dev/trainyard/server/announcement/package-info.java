/** Announcements of administrators to all users. */
package dev.trainyard.server.announcement;
