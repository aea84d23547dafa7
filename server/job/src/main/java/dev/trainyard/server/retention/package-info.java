/** What of finished jobs is kept, for how long, and the end of what is not. */
package dev.trainyard.server.retention;
