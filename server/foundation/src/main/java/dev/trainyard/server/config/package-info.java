/** Settings, the data directory and the log: what a start needs before anything else. */
package dev.trainyard.server.config;
