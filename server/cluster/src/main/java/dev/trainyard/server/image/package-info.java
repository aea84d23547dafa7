/** Container images: the image catalog, registries, registry logins, and images on the node. */
package dev.trainyard.server.image;
