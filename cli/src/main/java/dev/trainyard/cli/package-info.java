/** The command line: what people and scripts type, over the native API. */
package dev.trainyard.cli;
