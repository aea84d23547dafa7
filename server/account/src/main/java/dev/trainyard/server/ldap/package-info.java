/** Sign-in with passwords of an LDAP directory, verified by a simple bind. */
package dev.trainyard.server.ldap;
