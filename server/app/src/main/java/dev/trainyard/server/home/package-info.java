/** The home page. */
package dev.trainyard.server.home;
