/** Metrics of the server in the Prometheus format. */
package dev.trainyard.server.metric;
