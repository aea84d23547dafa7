/** Groups of users, virtual clusters, the grants of groups, and limits of users. */
package dev.trainyard.server.team;
