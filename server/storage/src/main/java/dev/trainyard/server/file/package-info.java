/** Files of users over HTTP: lists, downloads, archives and uploads. */
package dev.trainyard.server.file;
