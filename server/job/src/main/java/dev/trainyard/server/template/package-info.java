/** Job templates: built-in ones, and users' own. */
package dev.trainyard.server.template;
