/** OpenPAI's runtime plugins: generates the scripts that run around a task's command. */
package dev.trainyard.server.plugin;
