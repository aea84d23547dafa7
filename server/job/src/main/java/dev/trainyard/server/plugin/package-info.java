/** What OpenPAI's runtime plugins do around a task's command: scripts, made here, run there. */
package dev.trainyard.server.plugin;
