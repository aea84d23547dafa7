/** The files of the web application, as packaged by the module {@code web}. */
package dev.trainyard.server.page;
