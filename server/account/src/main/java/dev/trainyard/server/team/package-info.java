/**
 * Groups of users and their grants, virtual clusters and their quotas, shared storages,
 * capabilities, and limits of users.
 */
package dev.trainyard.server.team;
