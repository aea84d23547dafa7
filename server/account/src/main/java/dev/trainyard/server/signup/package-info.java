/** How people become users, and what they ask for afterwards. */
package dev.trainyard.server.signup;
