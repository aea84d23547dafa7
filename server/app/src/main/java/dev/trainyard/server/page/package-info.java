/** The web application's files, as the module {@code web} packs them. */
package dev.trainyard.server.page;
