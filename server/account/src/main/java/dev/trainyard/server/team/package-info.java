/** Groups of users, virtual clusters, what groups grant, and how much everybody may use. */
package dev.trainyard.server.team;
