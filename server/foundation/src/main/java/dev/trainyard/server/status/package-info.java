/** How the server is: what an administrator wants to see first, and what it warns of by itself. */
package dev.trainyard.server.status;
