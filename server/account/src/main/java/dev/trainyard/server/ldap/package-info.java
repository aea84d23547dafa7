/** People who have their password in a directory, asked by LDAP with a simple bind. */
package dev.trainyard.server.ldap;
