/** Job files to start from: those that come with the server, and users' own. */
package dev.trainyard.server.template;
