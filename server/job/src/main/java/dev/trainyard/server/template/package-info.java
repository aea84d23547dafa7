/** Job templates: the built-in templates and the templates of users. */
package dev.trainyard.server.template;
