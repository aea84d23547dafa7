/**
 * The audit log: who changed what, when and from which address. Written with every change, read by
 * administrators.
 */
package dev.trainyard.server.audit;
