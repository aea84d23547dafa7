/** OpenPAI's runtime plugins: scripts that run before and after the command of a task. */
package dev.trainyard.server.plugin;
