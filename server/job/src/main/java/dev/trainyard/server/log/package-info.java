/** What tasks print: where it is kept, reading it, and following it while it grows. */
package dev.trainyard.server.log;
