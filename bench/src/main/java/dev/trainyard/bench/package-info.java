/**
 * Benchmarks. A result that depends on the host is compared to a baseline that was measured in the
 * same run.
 */
package dev.trainyard.bench;
