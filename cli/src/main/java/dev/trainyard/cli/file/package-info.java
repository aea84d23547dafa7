/** Commands for the files of a user on the server. */
package dev.trainyard.cli.file;
