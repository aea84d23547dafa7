/** Lists, reads and archives files of users. Paths cannot leave the root directory of the user. */
package dev.trainyard.server.file;
