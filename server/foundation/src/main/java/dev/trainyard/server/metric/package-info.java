/** Health and metrics. */
package dev.trainyard.server.metric;
