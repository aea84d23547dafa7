/** The executable jar, which contains the command line and the server. */
package dev.trainyard.dist;
