/** The runnable jar: command line and server in one, and what starts them. */
package dev.trainyard.dist;
