/** Code that engines on one Linux host share: system calls, mounts, IDs, devices and ports. */
package dev.trainyard.engine.linux;
