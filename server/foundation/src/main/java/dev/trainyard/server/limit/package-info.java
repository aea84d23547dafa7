/** Rate limits and concurrency limits per user and per address. */
package dev.trainyard.server.limit;
