/** What administrators tell everybody. */
package dev.trainyard.server.announcement;
