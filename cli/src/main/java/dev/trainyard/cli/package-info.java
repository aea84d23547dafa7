/** Command line for users and scripts, based on the native API. */
package dev.trainyard.cli;
