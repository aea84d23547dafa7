/** Container images: the catalogue, registries and their logins, what is on the machine. */
package dev.trainyard.server.image;
