/** Jobs: what is stored of them, the rules of submitting, seeing, stopping and deleting. */
package dev.trainyard.server.job;
