/**
 * The audit log, which records who changed what, when and from which address. A record is written
 * with every change; administrators can read the log.
 */
package dev.trainyard.server.audit;
