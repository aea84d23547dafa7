/** The interface between the server and the engines that run tasks. */
package dev.trainyard.engine;
