/** Settings, the data directory and the log, which are initialized first when a server starts. */
package dev.trainyard.server.config;
