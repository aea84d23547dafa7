/** The filter of system calls that tasks run under: its table, the BPF program, Docker's JSON. */
package dev.trainyard.engine.linux.seccomp;
