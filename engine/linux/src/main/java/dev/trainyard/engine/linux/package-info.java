/** What engines on one Linux machine share: its system calls, mounts, ids, cards and ports. */
package dev.trainyard.engine.linux;
