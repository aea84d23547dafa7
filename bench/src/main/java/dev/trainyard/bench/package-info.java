/** Benchmarks; where results depend on the host, each is compared to a baseline of the same run. */
package dev.trainyard.bench;
