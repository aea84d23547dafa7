/** Settings, the data directory and the log: everything that is initialized first at a start. */
package dev.trainyard.server.config;
