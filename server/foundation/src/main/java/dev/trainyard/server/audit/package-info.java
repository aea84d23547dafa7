/** Who did what, when and from where: written with every change, read by administrators. */
package dev.trainyard.server.audit;
