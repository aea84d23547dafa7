/** Users, their names and passwords. */
package dev.trainyard.server.user;
