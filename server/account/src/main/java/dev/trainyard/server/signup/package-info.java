/** Sign-up, invitations and requests of users. */
package dev.trainyard.server.signup;
