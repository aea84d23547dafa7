/** Container images: the catalog, registries and their logins, and the images on the node. */
package dev.trainyard.server.image;
