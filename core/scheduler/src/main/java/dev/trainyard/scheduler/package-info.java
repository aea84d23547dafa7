/** Who runs where and who waits why: pure planning on immutable values. */
package dev.trainyard.scheduler;
