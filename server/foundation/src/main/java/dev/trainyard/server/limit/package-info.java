/** How much each user and each address may ask for. */
package dev.trainyard.server.limit;
