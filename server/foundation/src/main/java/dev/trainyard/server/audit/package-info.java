/**
 * The audit log, which records the user, time, address and details of every change. Administrators
 * can read the log.
 */
package dev.trainyard.server.audit;
