/** Storages of users: their directories, and the contract for all access to their files. */
package dev.trainyard.server.storage;
