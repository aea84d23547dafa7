/** What runs tasks, seen from the server: a small interface and its values. */
package dev.trainyard.engine;
